import { randomBytes } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { SecretKeys } from './keys.ts';
import { type Sealed, type SecretOf, seal, unseal } from './seal.ts';

/** Which secret of the organization: `record_id` is the ID of the record that it belongs to. */
export type SecretName = Omit<SecretOf, 'organization_id'>;

/** A secret as it was found. `unreadable`: it was sealed with a key that this process does not have. */
export type FoundSecret = { state: 'readable'; text: string } | { state: 'absent' | 'unreadable' };

/**
 * Keeps a secret of a record in the place of the one before. It stands in no audit entry, event or answer: the caller
 * records that there is one. Errors: throws where the process has no key.
 */
export function keepSecret(work: Work, keys: SecretKeys, name: SecretName, text: string): void {
  if (!keys.present) throw new Error('Neither SECRETS_KEY nor AUTH_SECRET is set: nothing can be sealed');
  const { organization_id } = work;
  const { key_id, sealed } = seal(keys.present, { ...name, organization_id }, text, randomBytes(12));
  work.run(
    `INSERT INTO sealed_secrets (organization_id, purpose, record_id, key_id, sealed, sealed_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id, purpose, record_id)
       DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, sealed_at = excluded.sealed_at`,
    [organization_id, name.purpose, name.record_id, key_id, sealed, work.now.toISOString()],
  );
}

/** Removes a secret, if there is one. */
export function removeSecret(work: Work, { purpose, record_id }: SecretName): void {
  work.run('DELETE FROM sealed_secrets WHERE organization_id = $1 AND purpose = $2 AND record_id = $3', [
    work.organization_id,
    purpose,
    record_id,
  ]);
}

/** Reads a secret of a record. What no longer opens is told as such: its owner enters it again. */
export async function readSecret(reader: Reader, keys: SecretKeys, name: SecretName): Promise<FoundSecret> {
  const { connection, organization_id } = reader;
  const [row] = await connection.query<Sealed>(
    'SELECT key_id, sealed FROM sealed_secrets WHERE organization_id = $1 AND purpose = $2 AND record_id = $3',
    [organization_id, name.purpose, name.record_id],
  );
  if (!row) return { state: 'absent' };
  const text = unseal(keys, { ...name, organization_id }, row);
  return text === null ? { state: 'unreadable' } : { state: 'readable', text };
}
