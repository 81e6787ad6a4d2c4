import { type Purpose, purpose } from '../../platform/mailer/purpose.ts';
import { letterOf } from './compose.ts';
import { mailEnded } from './delivery.ts';
import { waitingMails } from './order.ts';
import { mailKinds, namedAs, saidBy } from './record.ts';

/** The kinds of mails of sign; what each one says stands in `sign_mails`. */
export const signMails: readonly Purpose[] = mailKinds.map((kind) =>
  purpose({
    ...namedAs(kind),
    compose: async ({ document_id }, composing) =>
      letterOf(composing, document_id, await saidBy(composing.work, composing.mail_id)),
    ended: ({ document_id }, work, ending, mail_id) => mailEnded(work, { document_id, mail_id, ending }),
    waiting: waitingMails,
  }),
);
