import type { Work } from '../../kernel/work.ts';

/**
 * Holds the nonce of a form token until the work commits, so that what is stored for it is counted by one after the other. Locks: the
 * nonce, an advisory lock behind that of the sender's address.
 */
export async function holdNonce({ connection, organization_id }: Work, nonce_hash: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `forms nonce ${organization_id} ${nonce_hash}`,
  ]);
}
