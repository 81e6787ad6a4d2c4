import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { guestBookingsOf, takeAttempts } from '../../platform/access/attempts.ts';
import type { BookingRecord } from './record.ts';

/**
 * Counts a booking that a guest made or moved for each mailbox that is told of it: anybody can type anybody's address. In the work's
 * own transaction, so what is refused counts nothing. Call it after other locks: it locks the mailboxes' counts, in one order.
 * Errors: `rate_limited`.
 */
export async function countForMailboxes(
  { connection, organization_id, now }: Work,
  { guest, additional_guests }: Pick<BookingRecord, 'guest' | 'additional_guests'>,
): Promise<void> {
  const told = [guest.email, ...additional_guests].map((email) => guestBookingsOf(organization_id, email));
  const seconds = await takeAttempts(connection, told, now);
  if (seconds === 0) return;
  throw new Failure('rate_limited', {
    detail: {
      en: `One of these e-mail addresses was mailed about too many bookings within a day; try again in ${seconds} s`,
      ja: `このメールアドレスへの予約の連絡が1日の上限に達しています。${seconds}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}
