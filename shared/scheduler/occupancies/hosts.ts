import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';

/** How long a statement of a booking waits for the locks of others, in milliseconds; then it is refused as `unavailable`. */
const LOCK_TIMEOUT = '3000';

/** Bounds how long the statements of this transaction wait for locks. */
export function boundLockWaits({ connection }: Work): void {
  const bounding = connection.query("SELECT set_config('lock_timeout', $1, true)", [LOCK_TIMEOUT]);
  bounding.catch(() => undefined);
}

/**
 * Locks the rows of hosts in the order of their IDs: whoever writes occupancies of a host, or a block, holds its row. To be
 * called after the booking, proposal or event type is locked, and once for all hosts: so no two wait for each other. Rows
 * that are missing are made. Errors: `unavailable` where others hold them for longer than 3 s.
 */
export async function lockHosts(work: Work, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return;
  const { connection, organization_id } = work;
  const values = [organization_id, [...new Set(user_ids)]];
  boundLockWaits(work);
  const making = connection.query(
    `INSERT INTO scheduler_hosts (organization_id, user_id)
     SELECT $1, user_id FROM unnest($2::text[]) AS asked (user_id)
      WHERE NOT EXISTS (
        SELECT FROM scheduler_hosts AS host WHERE host.organization_id = $1 AND host.user_id = asked.user_id)
      ORDER BY user_id COLLATE "C" ON CONFLICT DO NOTHING`,
    values,
  );
  making.catch(() => undefined);
  const locking = connection.query(
    `SELECT FROM scheduler_hosts WHERE organization_id = $1 AND user_id = ${oneOf('$2')}
      ORDER BY user_id FOR NO KEY UPDATE`,
    values,
  );
  locking.catch(() => undefined);
  await making;
  await locking;
}
