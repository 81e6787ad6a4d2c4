import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { DAY } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';

/** How long the text of what came in is kept. */
const KEPT = 30 * DAY;

/** Rows of one statement: a text may have 10 MiB. */
const BATCH = 100;

/**
 * Removes the text of messages that came in 30 days ago, and those that told nothing altogether. Answers how many. Safe to run twice,
 * also at the same time.
 */
export async function forgetOldInbound(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const before = new Date(now.getTime() - KEPT).toISOString();
  let total = 0;
  for (;;) {
    const count = await database.withConnection(EVERY_ORGANIZATION, async ({ query }) => {
      const [row] = await query<{ count: number }>(FORGET, [before, BATCH]);
      return row!.count;
    });
    total += count;
    if (count < BATCH || signal.aborted) return total;
  }
}

const FORGET = `
  WITH old AS (
    SELECT organization_id, id, result FROM mail_inbound_messages
     WHERE content IS NOT NULL AND received_at < $1 AND applied_at IS NOT NULL
     ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM mail_inbound_messages m USING old
     WHERE m.organization_id = old.organization_id AND m.id = old.id AND old.result = 'ignored'
  ), blanked AS (
    UPDATE mail_inbound_messages m SET content = NULL FROM old
     WHERE m.organization_id = old.organization_id AND m.id = old.id AND old.result <> 'ignored'
  ) SELECT count(*)::integer AS count FROM old`;

/** Removes what came in about the mails of a contact that is erased. */
export function forgetInboundOf(work: Work, contact_id: string): void {
  work.run(
    `DELETE FROM mail_inbound_messages WHERE organization_id = $1 AND recipient_id IN (
       SELECT id FROM mail_campaign_recipients WHERE organization_id = $1 AND contact_id = $2)`,
    [work.organization_id, contact_id],
  );
}
