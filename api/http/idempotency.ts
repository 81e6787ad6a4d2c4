import { hash } from 'node:crypto';
import type { Connection } from '../../shared/kernel/connection.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Request } from './request.ts';

/** A request that may be sent again: its key, whose it is, and what it asks. */
export type Repeatable = { organization_id: string; credential_id: string; key: string; fingerprint: string };

/** An answer as it is kept for 24 hours. */
export type KeptAnswer = { status: number; headers: Record<string, string | string[]>; body: unknown };

const KEPT_FOR = '24 hours';

/** Reads the Idempotency-Key of a POST. Errors: `invalid_idempotency_key`. */
export function idempotencyKey(request: Request): string | null {
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Failure('invalid_idempotency_key');
}

/** What makes two requests the same: method, path, query, version and body. */
export function fingerprintOf(request: Request): string {
  const { method, path, querystring, state } = request;
  return hash('sha256', [method, path, querystring, state.version, state.body_text].join('\n'), 'base64url');
}

/**
 * Takes the key for this transaction, or answers what its first request was answered.
 * Errors: `idempotency_key_in_use` at once while the first one runs, `idempotency_key_reused`.
 */
export async function takeKey(
  connection: Connection,
  repeatable: Repeatable,
  now: Date,
): Promise<KeptAnswer | null> {
  const { organization_id, credential_id, key, fingerprint } = repeatable;
  const name = `${organization_id} ${credential_id} ${key}`;
  const locking = connection.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
    [name],
  );
  // A statement of its own: its snapshot is taken once the lock is held, so it sees what the first request left.
  const reading = connection.query<KeptAnswer & { fingerprint: string }>(
    `SELECT fingerprint, status, headers, body FROM idempotency_keys
      WHERE organization_id = $1 AND credential_id = $2 AND key = $3
        AND created_at > $4::timestamptz - interval '${KEPT_FOR}'`,
    [organization_id, credential_id, key, now.toISOString()],
  );
  reading.catch(() => undefined);
  const [lock] = await locking;
  const [kept] = await reading;
  if (kept && kept.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused');
  if (kept) return kept;
  if (!lock?.taken) throw new Failure('idempotency_key_in_use', { headers: { 'Retry-After': '1' } });
  return null;
}

/**
 * Whether an earlier request with the key was answered: then a large body need not be stored to be compared with that
 * one's. `takeKey` alone decides what is answered.
 */
export async function isKeyKnown(
  connection: Connection,
  { organization_id, credential_id, key }: Omit<Repeatable, 'fingerprint'>,
  now: Date,
): Promise<boolean> {
  const found = await connection.query(
    `SELECT 1 FROM idempotency_keys
      WHERE organization_id = $1 AND credential_id = $2 AND key = $3
        AND created_at > $4::timestamptz - interval '${KEPT_FOR}'`,
    [organization_id, credential_id, key, now.toISOString()],
  );
  return found.length > 0;
}

/** The statement that keeps an answer, to be sent with the rest of the transaction. */
export function keepAnswer(
  repeatable: Repeatable,
  answer: KeptAnswer,
  secrets: readonly string[],
  now: Date,
) {
  const { organization_id, credential_id, key, fingerprint } = repeatable;
  const body = secrets.reduce(withoutSecret, answer.body);
  return {
    text: `INSERT INTO idempotency_keys
             (organization_id, credential_id, key, fingerprint, status, headers, body, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (organization_id, credential_id, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
                 body = excluded.body, created_at = excluded.created_at
           WHERE idempotency_keys.created_at <= excluded.created_at - interval '${KEPT_FOR}'`,
    values: [
      organization_id,
      credential_id,
      key,
      fingerprint,
      answer.status,
      JSON.stringify(answer.headers),
      JSON.stringify(body),
      now.toISOString(),
    ],
    table: 'idempotency_keys',
  };
}

/** An answer with null in the place of a secret: `token`, or `partial.token` within a member. */
export function withoutSecret(body: unknown, secret: string): unknown {
  const [name, ...within] = secret.split('.');
  const members = body as Record<string, unknown>;
  return { ...members, [name!]: within.length > 0 ? withoutSecret(members[name!], within.join('.')) : null };
}
