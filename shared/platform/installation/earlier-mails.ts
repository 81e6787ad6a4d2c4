import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { operatorActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { Purposes } from '../mailer/purposes.ts';
import type { MailRow } from '../mailer/record.ts';

type Found = { organization_id: string; id: string };

/** Mails of one look; those of an organization are ended in one transaction. */
const BATCH = 500;

const REASON = 'Not sent: the mail had been waiting in the backup from which this installation was restored';

/**
 * Ends the mails that waited in the backup, before their queue resumes: what a mail server may have is `unknown`, the
 * others are `failed`. Whoever follows one is told so with the reason: its job fails, and its document's history says it.
 * Operators can send each of them again at /ops/mails. A second run, or one beside it, ends what is left. Answers how
 * many.
 */
export async function discardEarlierMails(
  database: Database,
  purposes: Purposes,
  now: Date,
): Promise<number> {
  let total = 0;
  for await (const [organization_id, ids] of earlierMails(database)) {
    const who = { actor: operatorActor, organization_id, request_id: null, ip_address: null };
    total += await database.withConnection(organization_id, (connection) =>
      inWork({ ...who, connection, now }, (work) => discard(work, purposes, ids), {
        may_change_nothing: true,
      }),
    );
  }
  return total;
}

/** Page by page along the index of open mails, so that no page reads again what was ended before. */
async function* earlierMails(database: Database): AsyncGenerator<[string, string[]]> {
  let last: Found = { organization_id: '', id: '' };
  for (;;) {
    const page = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Found>(
        `SELECT organization_id, id FROM mails
          WHERE status IN ('queued', 'sending') AND (organization_id, id) > ($1, $2)
            AND created_at < (SELECT drawn_at FROM installations WHERE id = current_installation())
          ORDER BY organization_id, id LIMIT ${BATCH}`,
        [last.organization_id, last.id],
      ),
    );
    for (const [organization_id, own] of Map.groupBy(page, (row) => row.organization_id))
      yield [organization_id, own.map(({ id }) => id)];
    if (page.length < BATCH) return;
    last = page.at(-1)!;
  }
}

/** Locks a mail before its job, as whoever sends it does. */
async function discard(work: Work, purposes: Purposes, ids: readonly string[]): Promise<number> {
  const { connection, organization_id } = work;
  const mails = await connection.query<MailRow>(
    `SELECT id, purpose, about, locale, status, attempts FROM mails
      WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('queued', 'sending') ORDER BY id FOR UPDATE`,
    [organization_id, ids],
  );
  work.run(
    `UPDATE mails SET status = CASE status WHEN 'sending' THEN 'unknown' ELSE 'failed' END, error = $3, updated_at = $4
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [organization_id, mails.map(({ id }) => id), REASON, work.now.toISOString()],
  );
  for (const { id, purpose: name, about, status } of mails) {
    const purpose = purposes.get(name);
    const ending = { status: status === 'sending' ? 'unknown' : 'failed', error: REASON } as const;
    await purpose?.ended?.(purpose.about.parse(about), work, ending, id);
  }
  return mails.length;
}
