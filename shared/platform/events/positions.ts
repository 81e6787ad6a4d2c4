import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { transaction } from '../../db/transaction.ts';
import type { Connection } from '../../kernel/connection.ts';

/** Events that get their place in one transaction, so that a backlog never holds the lock for long. */
const BATCH = 1_000;

/** Batches that one caller places before it returns; the next caller places the rest. */
const MOST_BATCHES = 20;

/**
 * Gives the committed events of an organization their places in its list. An event's place is given after its
 * commit, one giver at a time, so a transaction that began early and committed late comes after what a reader has
 * seen, and no cursor ever passes over it.
 */
export async function placeEvents(connection: Connection, organization_id: string): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const [waiting] = await connection.query(
      'SELECT 1 FROM events WHERE organization_id = $1 AND position IS NULL LIMIT 1',
      [organization_id],
    );
    if (!waiting) return;
    await transaction(connection, (commit) => commit(placeBatch(connection, organization_id)));
  }
}

async function placeBatch(connection: Connection, organization_id: string): Promise<void> {
  const locking = connection.query("SELECT pg_advisory_xact_lock(hashtextextended('events ' || $1, 0))", [
    organization_id,
  ]);
  // A statement of its own: its snapshot is taken under the lock, so it sees all places given before.
  const placing = connection.query(
    `WITH waiting AS (
       SELECT id, row_number() OVER (ORDER BY id) AS place
         FROM events WHERE organization_id = $1 AND position IS NULL ORDER BY id LIMIT ${BATCH}
     ), last AS (
       SELECT coalesce(max(position), 0) AS position FROM events WHERE organization_id = $1
     )
     UPDATE events SET position = last.position + waiting.place
       FROM waiting, last WHERE events.organization_id = $1 AND events.id = waiting.id`,
    [organization_id],
  );
  await Promise.all([locking, placing]);
}

/** Gives places in every organization that has events without one; run every second by the workers' schedules. */
export async function placeAllEvents(database: Database): Promise<void> {
  const organizations = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ organization_id: string }>('SELECT DISTINCT organization_id FROM events WHERE position IS NULL'),
  );
  for (const { organization_id } of organizations) {
    await database.withConnection(organization_id, (connection) => placeEvents(connection, organization_id));
  }
}
