import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';
import { gramsLiteral, INDEX } from './search-index.ts';

/** Contacts of one transaction: their rows are held for some 50 ms, and whoever changes one waits that long. */
const BATCH = 1_000;

type Waiting = { organization_id: string; id: number };

type Unindexed = { first_contact_id: string; last_contact_id: string; contact_ids: string[] | null };

/**
 * Writes the letters of contacts that imports left, the longest due first, until nothing is due or `signal` says
 * stop. Answers how many. Safe to run twice, also at the same time.
 */
export async function indexDueContacts(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const due = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Waiting>(
        'SELECT organization_id, id FROM mail_contacts_unindexed WHERE due_at <= $1 ORDER BY due_at LIMIT 100',
        [now.toISOString()],
      ),
    );
    if (due.length === 0) return total;
    for (const waiting of due) {
      for (let count = BATCH; count === BATCH; ) {
        if (signal.aborted) return total;
        count = await database.withConnection(waiting.organization_id, (connection) =>
          indexBatch(connection, waiting),
        );
        total += count;
      }
    }
  }
}

/** Indexes the first contacts of what waits and takes them off it; fewer than a batch were the last ones. */
async function indexBatch(connection: Connection, { organization_id, id }: Waiting): Promise<number> {
  return transaction(connection, async (commit) => {
    const [unindexed] = await connection.query<Unindexed>(
      `SELECT first_contact_id, last_contact_id, contact_ids FROM mail_contacts_unindexed
        WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      [organization_id, id],
    );
    if (!unindexed) return 0;
    const contact_ids = unindexed.contact_ids
      ? unindexed.contact_ids.slice(0, BATCH)
      : await idsOf(connection, organization_id, unindexed);
    // Held, so that no change of a contact is overwritten with letters of its text before; in everybody's order.
    const contacts = await connection.query<{ id: string; search_text: string }>(
      `SELECT id, search_text FROM mail_contacts WHERE organization_id = $1 AND id = ANY ($2)
        ORDER BY email_key FOR NO KEY UPDATE`,
      [organization_id, contact_ids],
    );
    const grams = contacts.map(({ search_text }) => gramsLiteral(search_text));
    const writing = connection.query(INDEX, [organization_id, contacts.map((contact) => contact.id), grams]);
    writing.catch(() => undefined);
    const takingOff =
      contact_ids.length < BATCH
        ? connection.query('DELETE FROM mail_contacts_unindexed WHERE organization_id = $1 AND id = $2', [
            organization_id,
            id,
          ])
        : connection.query(
            `UPDATE mail_contacts_unindexed
                SET first_contact_id = CASE WHEN contact_ids IS NULL THEN $3 END,
                    contact_ids = contact_ids[$4 + 1 :]
              WHERE organization_id = $1 AND id = $2`,
            [organization_id, id, contact_ids.at(-1), BATCH],
          );
    await commit(Promise.all([writing, takingOff]).then(() => undefined));
    return contact_ids.length;
  });
}

/** The first IDs of a range. What is left of it begins with the last of them, which is indexed once more. */
async function idsOf(
  connection: Connection,
  organization_id: string,
  { first_contact_id, last_contact_id }: Unindexed,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM mail_contacts WHERE organization_id = $1 AND id >= $2 AND id <= $3 ORDER BY id LIMIT ${BATCH}`,
    [organization_id, first_contact_id, last_contact_id],
  );
  return rows.map(({ id }) => id);
}
