import { type Database, EVERY_ORGANIZATION } from '../db/database.ts';

/** Mails that one statement changes. */
const BATCH = 5_000;

const REASON = 'Not sent: the mail had been waiting in the backup from which this installation was restored';

/**
 * Ends the mails that waited in the backup, before their queue goes on: what a mail server may have is `unknown`, the
 * others are `failed`. Operators can send each of them again at /ops/mails. Answers how many.
 */
export async function discardEarlierMails(database: Database, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query(
        `UPDATE mails SET status = CASE status WHEN 'sending' THEN 'unknown' ELSE 'failed' END, error = $1,
           updated_at = $2
         WHERE (organization_id, id) IN (
           SELECT organization_id, id FROM mails
           WHERE status IN ('queued', 'sending') AND created_at < (
             SELECT drawn_at FROM installations WHERE id = current_installation())
           LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
        [REASON, now.toISOString()],
      ),
    );
    total += changed.length;
    if (changed.length < BATCH) return total;
  }
}
