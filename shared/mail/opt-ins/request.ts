import { unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { optInsOf, takeAttempt } from '../../platform/access/attempts.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { emailKey } from '../email-key.ts';
import { suppressionFor } from '../suppressions/queries.ts';
import { OPT_IN_TIME } from './links.ts';
import { optInMail } from './mail.ts';
import { type OptInRow, optInOf } from './queries.ts';
import { type OptIn, type OptInInput, OptInModel, optInFacts } from './record.ts';

/**
 * Asks the holder of an address to join a list: by a mail, whose link leads to a page with a button. Nothing but the record of
 * it is there before that. The answer is alike for every address; a mail leaves for none that is suppressed or bounced,
 * and to a mailbox three times a day. Errors: `unknown_reference` at /list_id. Locks: the list against its removal, the
 * count of the mailbox.
 */
export async function requestOptIn(work: Work, input: OptInInput): Promise<OptIn> {
  const { connection, organization_id, now } = work;
  const email_key = emailKey(input.email);
  const [list] = await connection.query(
    'SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [organization_id, input.list_id],
  );
  if (!list) throw unknownReference('/list_id', input.list_id);
  const row = newRow(input, now);
  const mail_id = (await mayBeMailed(work, input.email))
    ? addMail(work, { purpose: optInMail, about: { opt_in_id: row.id }, locale: row.locale })
    : null;
  work.insert(OptInModel, { ...row, email_key, mail_id });
  if (mail_id !== null) work.enqueue(sendMailJob, { mail_id });
  const optIn = optInOf(row, now);
  work.record(optInFacts.created, { before: null, after: optIn });
  return optIn;
}

function newRow(input: OptInInput, now: Date): OptInRow {
  const created_at = now.toISOString();
  return {
    id: newId('mopt', now),
    email: input.email,
    list_id: input.list_id,
    first_name: input.first_name ?? null,
    last_name: input.last_name ?? null,
    text: input.text ?? null,
    source: input.source ?? null,
    locale: input.locale,
    confirmed_at: null,
    expires_at: new Date(now.getTime() + OPT_IN_TIME).toISOString(),
    created_at,
    updated_at: created_at,
  };
}

/** Whether a mail may go to an address: it is counted then, by the mailbox, since anybody can type anybody's address. */
async function mayBeMailed(work: Work, email: string): Promise<boolean> {
  const { connection, organization_id, now } = work;
  const email_key = emailKey(email);
  if (await suppressionFor(work, email_key)) return false;
  const [bounced] = await connection.query(
    "SELECT FROM mail_contacts WHERE organization_id = $1 AND email_key = $2 AND status = 'bounced'",
    [organization_id, email_key],
  );
  if (bounced) return false;
  return (await takeAttempt(connection, optInsOf(organization_id, email), now)) === 0;
}
