import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { findBooking } from '../bookings/rows.ts';
import { bookingLetter } from './letter.ts';
import { mailEnded, waitingMails } from './order.ts';
import { saidBy } from './record.ts';

/** Tells a guest or a host of a change of a booking, as it was when it was changed. */
export const bookingMail = purpose({
  name: 'scheduler.booking',
  title: { en: 'News of a booking', ja: '予約のお知らせ' },
  about: z.strictObject({ booking_id: id('book') }),
  compose: async ({ booking_id }, composing) => {
    const { work, mail_id } = composing;
    const { recipient, told } = await saidBy(work, mail_id);
    const booking = await findBooking(work, booking_id);
    return bookingLetter(composing, booking!, recipient, told);
  },
  ended: (_, work, _ending, mail_id) => mailEnded(work, mail_id),
  waiting: waitingMails,
});
