import { unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { addMail } from '../../platform/mailer/queue-mail.ts';
import { emailKey } from '../email-key.ts';
import { suppressionFor } from '../suppressions/queries.ts';
import { OPT_IN_TIME } from './links.ts';
import { optInMail } from './mail.ts';
import { type OptInRow, optInOf } from './queries.ts';
import { type OptIn, type OptInInput, OptInModel, optInFacts } from './record.ts';

const MAILS_A_DAY = 3;

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Asks the holder of an address to join a list: by a mail, whose link leads to a page with a button. Nothing but the record of
 * it is there before that. The answer is alike for every address; a mail leaves for none that is suppressed or bounced,
 * and for one the third time a day. Errors: `unknown_reference` at /list_id. Locks: the list against its removal, the
 * address.
 */
export async function requestOptIn(work: Work, input: OptInInput): Promise<OptIn> {
  const { connection, organization_id, now } = work;
  const email_key = emailKey(input.email);
  const [list] = await connection.query(
    'SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
    [organization_id, input.list_id],
  );
  if (!list) throw unknownReference('/list_id', input.list_id);
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['mail_opt_ins', organization_id, email_key]),
  ]);
  const row = newRow(input, now);
  const mail_id = (await mayBeMailed(work, email_key))
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

/** Whether a mail may go to a locked address. */
async function mayBeMailed(work: Work, email_key: string): Promise<boolean> {
  const { connection, organization_id, now } = work;
  const suppression = await suppressionFor(work, email_key);
  if (suppression) return false;
  const [counted] = await connection.query<{ mails: number; is_bounced: boolean }>(
    `SELECT (SELECT count(*)::integer FROM mail_opt_ins
              WHERE organization_id = $1 AND email_key = $2 AND mail_id IS NOT NULL
                AND created_at > $3::timestamptz - make_interval(secs => ${DAY_SECONDS})) AS mails,
            EXISTS (SELECT FROM mail_contacts
              WHERE organization_id = $1 AND email_key = $2 AND status = 'bounced') AS is_bounced`,
    [organization_id, email_key, now.toISOString()],
  );
  return !counted!.is_bounced && counted!.mails < MAILS_A_DAY;
}
