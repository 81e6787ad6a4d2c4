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
export async function sendMailAgain(connection: Connection, { organization_id, id }: Which, when: When) {
  await transaction(connection, async (commit) => {
    const mail = await lockMail(connection, organization_id, id);
    if (!mail || !isLost(mail)) throw notFound();
    const work = queueAgain(connection, organization_id, [mail], when);
    await commit(work.finish());
  });
}

/**
 * The same for many at once, by their IDs, in as many statements as there are organizations. Answers how many; those
 * that are sent again already are passed over.
 */
export function sendMailsAgain(connection: Connection, ids: readonly string[], when: When): Promise<number> {
  return transaction(connection, async (commit) => {
    const mails = await connection.query<MailRow & { organization_id: string }>(
      `SELECT organization_id, id, purpose, about, locale, status, attempts FROM mails
       WHERE id = ANY($1) AND status IN ('failed', 'unknown') ORDER BY organization_id, id FOR UPDATE`,
      [ids],
    );
    const groups = Map.groupBy(mails, ({ organization_id }) => organization_id);
    for (const [organization_id, own] of groups) {
      await queueAgain(connection, organization_id, own, when).finish();
    }
    await commit(Promise.resolve());
    return mails.length;
  });
}

function isLost({ status }: MailRow): boolean {
  return status === 'failed' || status === 'unknown';
}

/** The work that queues locked mails of one organization, and says so in its log; the caller finishes it. */
function queueAgain(
  connection: Connection,
  organization_id: string,
  mails: readonly MailRow[],
  { now, ...request }: When,
): Work {
  const work = new Work({ connection, organization_id, now, actor: operatorActor, ...request });
  work.run(
    `UPDATE mails SET status = 'queued', error = NULL, updated_at = $3
     WHERE organization_id = $1 AND id = ANY($2)`,
    [organization_id, mails.map(({ id }) => id), now.toISOString()],
  );
  for (const mail of mails) {
    work.enqueue(sendMailJob, { mail_id: mail.id });
    work.record(mailFacts.updated, { before: shown(mail, mail.status), after: shown(mail, 'queued') });
  }
  return work;
}
