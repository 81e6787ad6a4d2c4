import { randomUUID } from 'node:crypto';
import type { Work } from '../../../kernel/work.ts';

/** What a connection has whose tokens nobody may keep who asked for them before. */
export const NO_LEASE = { token_lease: null, token_lease_ends_at: null } as const;

/**
 * Takes the right to replace the tokens of a connection, for 15 s by the database's clock: longer than the call of Google
 * lasts, so that it ends by itself where its process was killed. Null while somebody else has it. Locks: the connection.
 */
export async function takeLease(work: Work, connection_id: string): Promise<string | null> {
  const lease = randomUUID();
  const taken = await work.connection.query(
    `UPDATE scheduler_connections SET token_lease = $3, token_lease_ends_at = clock_timestamp() + interval '15 seconds'
      WHERE organization_id = $1 AND id = $2
        AND (token_lease_ends_at IS NULL OR token_lease_ends_at <= clock_timestamp())
      RETURNING 1`,
    [work.organization_id, connection_id, lease],
  );
  return taken.length > 0 ? lease : null;
}

/** Gives a lease back. False where it was another's already. Locks: the connection. */
export async function endLease(work: Work, connection_id: string, lease: string): Promise<boolean> {
  const ended = await work.connection.query(
    `UPDATE scheduler_connections SET token_lease = NULL, token_lease_ends_at = NULL
      WHERE organization_id = $1 AND id = $2 AND token_lease = $3
      RETURNING 1`,
    [work.organization_id, connection_id, lease],
  );
  return ended.length > 0;
}
