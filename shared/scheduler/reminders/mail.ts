import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import type { Composing } from '../../platform/mailer/purpose.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { findBooking } from '../bookings/rows.ts';
import { bookingLetter, type Said } from '../mails/letter.ts';
import { findSession, sessionLetter } from '../mails/session-letter.ts';
import { pointless } from '../pointless-mails.ts';
import type { Reminded } from './due.ts';

const recipient = z.custom<Reminded>((value) => value === 'guest' || /^usr_\w+$/.test(String(value)));

const POINTLESS = { pointless: pointless.moved };

/** Reminds a guest or a host of a booking, if it is still confirmed at the time that the reminder was made for. */
export const bookingReminder = purpose({
  name: 'scheduler.reminder',
  title: { en: 'Reminder of a booking', ja: '予約のリマインダー' },
  about: z.strictObject({ booking_id: id('book'), revision: z.int(), minutes_before: z.int(), recipient }),
  compose: async ({ booking_id, revision, recipient }, composing) => {
    const booking = await findBooking(composing.work, booking_id);
    if (!booking || booking.revision !== revision || !isAhead(booking, composing)) return POINTLESS;
    return bookingLetter(composing, booking, recipient, reminding(booking));
  },
});

/** Reminds a host of a session that somebody still has a seat of. */
export const sessionReminder = purpose({
  name: 'scheduler.session_reminder',
  title: { en: 'Reminder of a session', ja: '開催枠のリマインダー' },
  about: z.strictObject({ session_id: id('bsess'), minutes_before: z.int(), recipient }),
  compose: async ({ session_id, recipient }, composing) => {
    const session = await findSession(composing.work, session_id);
    if (!session || session.taken === 0 || !isAhead(session, composing)) return POINTLESS;
    const seats = { taken: session.taken, of: session.seats };
    return sessionLetter(composing, session_id, recipient, { ...reminding(session), seats });
  },
});

function isAhead({ status, start }: { status: string; start: string }, { now }: Composing): boolean {
  return status === 'confirmed' && start > now.toISOString();
}

function reminding({ start, end, user_ids }: { start: string; end: string; user_ids: string[] }): Said {
  return {
    news: 'reminder',
    start,
    end,
    before: null,
    is_pending: false,
    user_ids,
    seats: null,
    calendar: null,
  };
}
