import { randomBytes } from 'node:crypto';
import type { Connection } from '../../kernel/connection.ts';
import type { SecretKeys } from './keys.ts';
import { type Sealed, type SecretOf, seal, unseal } from './seal.ts';

const TOGETHER = 200;

type Row = SecretOf & Sealed;

/**
 * Seals every secret of all organizations with the present key. One that is replaced meanwhile stays as it was replaced, so
 * the service may run. Answers how many were sealed anew, and how many no key opens: those stay as they are.
 */
export async function turnSecrets(
  connection: Connection,
  keys: SecretKeys,
  now: Date,
): Promise<{ turned: number; unreadable: number }> {
  const { present } = keys;
  if (!present) throw new Error('Neither SECRETS_KEY nor AUTH_SECRET is set: nothing can be sealed');
  const counts = { turned: 0, unreadable: 0 };
  let after = ['', '', ''];
  for (;;) {
    const rows = await connection.query<Row>(
      `SELECT organization_id, purpose, record_id, key_id, sealed FROM sealed_secrets
        WHERE (organization_id, purpose, record_id) > ($1, $2, $3) AND key_id <> $4
        ORDER BY organization_id, purpose, record_id LIMIT ${TOGETHER}`,
      [...after, present.id],
    );
    const opened = rows.map((row) => ({ row, text: unseal(keys, row, row) }));
    const anew = opened.flatMap(({ row, text }) =>
      text === null ? [] : [{ row, made: seal(present, row, text, randomBytes(12)) }],
    );
    counts.unreadable += rows.length - anew.length;
    const replaced = await connection.query(
      `UPDATE sealed_secrets AS kept SET key_id = $1, sealed = made.sealed, sealed_at = $2
         FROM unnest($3::text[], $4::text[], $5::text[], $6::bytea[], $7::bytea[])
           AS made (organization_id, purpose, record_id, sealed, before)
        WHERE kept.organization_id = made.organization_id AND kept.purpose = made.purpose
          AND kept.record_id = made.record_id AND kept.sealed = made.before
        RETURNING 1`,
      [
        present.id,
        now.toISOString(),
        anew.map(({ row }) => row.organization_id),
        anew.map(({ row }) => row.purpose),
        anew.map(({ row }) => row.record_id),
        anew.map(({ made }) => made.sealed),
        anew.map(({ row }) => row.sealed),
      ],
    );
    counts.turned += replaced.length;
    const last = rows.at(-1);
    if (!last || rows.length < TOGETHER) return counts;
    after = [last.organization_id, last.purpose, last.record_id];
  }
}
