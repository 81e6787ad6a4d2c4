import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { purpose } from '../../platform/mailer/purpose.ts';
import { mailEnded, waitingMails } from './order.ts';
import { saidBy } from './record.ts';
import { sessionLetter } from './session-letter.ts';

/** Tells a host of a session how many seats of it are taken; the guests get mails about their own bookings. */
export const sessionMail = purpose({
  name: 'scheduler.session',
  title: { en: 'News of a session', ja: '開催枠のお知らせ' },
  about: z.strictObject({ session_id: id('bsess') }),
  compose: async ({ session_id }, composing) => {
    const { recipient, told } = await saidBy(composing.work, composing.mail_id);
    return sessionLetter(composing, session_id, recipient, told);
  },
  ended: (_, work, _ending, mail_id) => mailEnded(work, mail_id),
  waiting: waitingMails,
});
