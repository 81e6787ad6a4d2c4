import type { BookingRecord, BookingStatus } from './record.ts';

type Timed = Pick<BookingRecord, 'status' | 'end' | 'pending_expires_at'>;

/**
 * The status of a booking at a time: a pending one has expired when its time is over, whether or not a sweep has seen it, a
 * confirmed one is completed when it has ended.
 */
export function statusAt({ status, end, pending_expires_at }: Timed, now: Date): BookingStatus {
  const at = now.toISOString();
  if (status === 'pending' && pending_expires_at !== null && pending_expires_at <= at) return 'expired';
  return status === 'confirmed' && end <= at ? 'completed' : status;
}
