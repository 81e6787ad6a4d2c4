import type { Work } from '../../kernel/work.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { release } from '../occupancies/occupy.ts';
import { settleOverdue } from '../occupancies/overdue.ts';
import { questionOf } from '../questions/question.ts';
import { startsOf } from '../slots/starts.ts';
import type { Cancellation } from './input.ts';
import { occupyFor } from './place.ts';
import type { BookingRecord } from './record.ts';
import { refusalOf } from './refusals.ts';
import { lockBooking } from './rows.ts';
import { saveBooking, saveBookings } from './save.ts';
import { leaveSession } from './sessions.ts';
import { withoutBounds } from './start.ts';
import { type BookingAction, NO_TYPE, requireAction, requireGuestAction } from './transitions.ts';

const MINUTE = 60_000;

/** Confirms a booking that waits. Errors: `not_found`, `precondition_failed`, `invalid_transition`, those of `takeTime`, `unavailable`. */
export async function confirmBooking(work: Work, id: string): Promise<BookingRecord> {
  const before = await lockFor(work, id, 'confirm');
  // Who has a seat has the time of its session, whether or not the type has seats by now.
  if (before.is_counted || before.session_id !== null) keepTime(work, id);
  else await takeTime(work, before);
  const patch = { status: 'confirmed', is_counted: true, pending_expires_at: null } as const;
  return saveBooking(work, before, patch, { action: 'confirmed', notify: true });
}

/** Declines a booking that waits. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function declineBooking(
  work: Work,
  id: string,
  { reason, notify }: Cancellation,
): Promise<BookingRecord> {
  const before = await lockFor(work, id, 'decline');
  if (before.session_id !== null) await leaveSession(work, before.session_id);
  release(work, [id]);
  const patch = {
    status: 'declined',
    is_counted: false,
    pending_expires_at: null,
    cancel_reason: reason,
  } as const;
  return saveBooking(work, before, patch, { action: 'declined', notify });
}

/** Cancels a booking. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function cancelBooking(
  work: Work,
  id: string,
  { reason, notify }: Cancellation,
): Promise<BookingRecord> {
  const before = await lockFor(work, id, 'cancel');
  if (before.session_id !== null) await leaveSession(work, before.session_id);
  return cancel(work, before, { reason, notify, by: 'staff' });
}

/** The same by the guest. Errors: `invalid_transition`, `cutoff_passed`. */
export async function cancelAsGuest(work: Work, id: string, reason: string | null): Promise<BookingRecord> {
  const before = await lockBooking(work, id);
  const event_type =
    before.event_type_id === null ? null : await eventTypeOfBooking(work, before.event_type_id);
  requireGuestAction(before, 'cancel', work.now, event_type ?? NO_TYPE);
  if (before.session_id !== null) await leaveSession(work, before.session_id);
  return cancel(work, before, { reason, notify: true, by: 'guest' });
}

/** Cancels locked bookings that may be cancelled and whose seats were given back. */
export async function cancelSeats(
  work: Work,
  bookings: readonly BookingRecord[],
  { notify, ...cancelled }: Cancelled,
): Promise<void> {
  await saveBookings(work, bookings, (before) => cancelledAs(work, before, cancelled), {
    action: 'cancelled',
    notify,
  });
}

type Cancelled = Cancellation & { by: 'guest' | 'staff' };

/** The same of one that has the time of its hosts, or had a seat. */
function cancel(work: Work, before: BookingRecord, { notify, ...cancelled }: Cancelled) {
  release(work, [before.id]);
  return saveBooking(work, before, cancelledAs(work, before, cancelled), { action: 'cancelled', notify });
}

function cancelledAs(work: Work, { revision }: BookingRecord, { reason, by }: Omit<Cancelled, 'notify'>) {
  return {
    status: 'cancelled',
    is_counted: false,
    pending_expires_at: null,
    revision: revision + 1,
    cancelled_at: work.now.toISOString(),
    cancelled_by: by,
    cancel_reason: reason,
  } as const;
}

/** Says that the guest did not come, or takes it back. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function setNoShow(work: Work, id: string, no_show: boolean): Promise<BookingRecord> {
  const before = await lockBooking(work, id);
  work.precondition(before);
  requireAction(before, 'no-show', work.now, work.actor, { no_show });
  const status = no_show ? ('no_show' as const) : ('confirmed' as const);
  const action = no_show ? 'no_show' : 'no_show_undone';
  return saveBooking(work, before, { status }, { action, notify: false });
}

async function lockFor(work: Work, id: string, action: BookingAction): Promise<BookingRecord> {
  const before = await lockBooking(work, id);
  work.precondition(before);
  requireAction(before, action, work.now, work.actor);
  return before;
}

/** What a pending booking took stays taken. */
function keepTime(work: Work, id: string): void {
  work.run(
    'UPDATE scheduler_occupancies SET expires_at = NULL WHERE organization_id = $1 AND record_id = $2',
    [work.organization_id, id],
  );
}

/**
 * Takes the time of a booking that took none while it waited, if its hosts are there and have nothing in the way by now.
 * Errors: `slot_taken`, `not_bookable`, `calendar_unavailable`.
 */
async function takeTime(work: Work, booking: BookingRecord): Promise<void> {
  const event_type = await eventTypeOfBooking(work, booking.event_type_id!);
  const { user_ids } = booking;
  await lockHosts(work, user_ids);
  await settleOverdue(work, user_ids);
  const members = user_ids.map((user_id) => {
    const member = event_type.members.find((one) => one.user_id === user_id);
    return {
      user_id,
      role: 'required' as const,
      priority: 0,
      availability_id: member?.availability_id ?? null,
    };
  });
  const start = Date.parse(booking.start);
  const { question } = await questionOf(work, {
    event_type: { ...withoutBounds(event_type), members },
    duration_minutes: (Date.parse(booking.end) - start) / MINUTE,
    from: start,
    to: start + MINUTE,
    without: { record_ids: [booking.id] },
  });
  const { reason } = startsOf(question).verdict(start);
  if (reason) throw refusalOf(reason);
  occupyFor(work, event_type, { ...booking, pending_expires_at: null }, user_ids);
}
