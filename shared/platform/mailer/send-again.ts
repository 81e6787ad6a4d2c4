import { inWork } from '../../db/in-work.ts';
import type { Connection } from '../../kernel/connection.ts';
import { factsOf, type Resource } from '../../kernel/fact.ts';
import { notFound } from '../../kernel/failure.ts';
import { NO_ORGANIZATION, operatorActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
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
 * Queues a mail again that failed for good or whose delivery is unknown: that one may
 * arrive twice. Text, address and link are made anew. Errors: `not_found` for any other mail.
 */
export async function sendMailAgain(connection: Connection, { organization_id, id }: Which, when: When) {
  await inWork({ connection, organization_id, actor: operatorActor, ...when }, async (work) => {
    const mail = await lockMail(connection, organization_id, id);
    if (!mail || !isLost(mail)) throw notFound();
    queueAgain(work, [mail]);
  });
}

/**
 * The same for many at once, by their IDs, in as many statements as there are organizations. Answers how many; those
 * that are sent again already are passed over.
 */
export function sendMailsAgain(connection: Connection, ids: readonly string[], when: When): Promise<number> {
  const reader = { connection, organization_id: NO_ORGANIZATION, actor: operatorActor, ...when };
  const sendAgain = async (work: Work) => {
    const mails = await connection.query<MailRow & { organization_id: string }>(
      `SELECT organization_id, id, purpose, about, locale, status, attempts FROM mails
       WHERE id = ANY($1) AND status IN ('failed', 'unknown') ORDER BY organization_id, id FOR UPDATE`,
      [ids],
    );
    const groups = Map.groupBy(mails, ({ organization_id }) => organization_id);
    for (const [organization_id, own] of groups) {
      queueAgain(work.inOrganization(organization_id), own);
    }
    return mails.length;
  };
  return inWork(reader, sendAgain, { may_change_nothing: true });
}

function isLost({ status }: MailRow): boolean {
  return status === 'failed' || status === 'unknown';
}

/** Queues locked mails of the work's organization, and says so in its log. */
function queueAgain(work: Work, mails: readonly MailRow[]): void {
  work.run(
    `UPDATE mails SET status = 'queued', error = NULL, updated_at = $3
     WHERE organization_id = $1 AND id = ANY($2)`,
    [work.organization_id, mails.map(({ id }) => id), work.now.toISOString()],
  );
  for (const mail of mails) {
    work.enqueue(sendMailJob, { mail_id: mail.id });
    work.record(mailFacts.updated, { before: shown(mail, mail.status), after: shown(mail, 'queued') });
  }
}
