import { transaction } from '../db/transaction.ts';
import type { Connection } from '../kernel/connection.ts';
import { factsOf, type Resource } from '../kernel/fact.ts';
import { notFound } from '../kernel/failure.ts';
import { operatorActor } from '../kernel/reader.ts';
import { Work } from '../kernel/work.ts';
import { sendMailJob } from './jobs.ts';
import { lockMail, type MailRow, type MailStatus } from './record.ts';

const mailFacts = factsOf({ domain: 'platform', entity_type: 'mail' });

/** A mail as the audit log shows it. */
function shown({ id, purpose }: MailRow, status: MailStatus): Resource & { purpose: string; status: string } {
  return { id, purpose, status };
}

type Which = { organization_id: string; id: string };
type When = { now: Date; request_id: string | null; ip_address: string | null };

/**
 * An operator has a mail sent again that failed for good, or of which nobody knows whether it arrived: that one may
 * arrive twice. Text, address and link are made anew. Errors: `not_found` for any other mail.
 */
export async function sendMailAgain(
  connection: Connection,
  { organization_id, id }: Which,
  { now, ...request }: When,
): Promise<void> {
  await transaction(connection, async (commit) => {
    const mail = await lockMail(connection, organization_id, id);
    if (!mail || !['failed', 'unknown'].includes(mail.status)) throw notFound();
    const work = new Work({ connection, organization_id, now, actor: operatorActor, ...request });
    work.run(
      `UPDATE mails SET status = 'queued', error = NULL, updated_at = $3 WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, now.toISOString()],
    );
    work.enqueue(sendMailJob, { mail_id: id });
    work.record(mailFacts.updated, { before: shown(mail, mail.status), after: shown(mail, 'queued') });
    await commit(work.finish());
  });
}
