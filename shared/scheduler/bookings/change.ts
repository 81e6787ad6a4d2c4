import type { BookingRecord } from './record.ts';

/** What can happen to a booking. `no_show_undone` leaves an audit entry alone. */
export type BookingHappening =
  | 'created'
  | 'confirmed'
  | 'declined'
  | 'expired'
  | 'rescheduled'
  | 'cancelled'
  | 'no_show'
  | 'no_show_undone';

/** One change of a booking: the rows before (null for a new one) and after. */
export type BookingChange = {
  action: BookingHappening;
  before: BookingRecord | null;
  after: BookingRecord;
  /** Whether guests and hosts are told by mail. */
  notify: boolean;
};
