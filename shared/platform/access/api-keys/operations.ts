import { randomBytes } from 'node:crypto';
import { Failure, invalid, notFound } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import { allows, type Grant, type Role, type RoleGrants } from '../../../kernel/scope.ts';
import type { Work } from '../../../kernel/work.ts';
import { hashOfSecret, newSecret } from '../secret.ts';
import { type ApiKeyRow, apiKeyById, apiKeyColumns, apiKeyOf } from './queries.ts';
import { type ApiKey, type ApiKeyInput, ApiKeyModel, apiKeyFacts } from './record.ts';

/** Keys of one organization that are neither revoked nor expired. */
export const MOST_KEYS = 100;

/** Letters of the secret that stay visible: enough to tell one's keys apart, too few to help who guesses. */
const SHOWN = 'sk_'.length + 4;

/**
 * Makes a key for the acting person, whose role gives what `role_grants` says. The secret is answered this once. Errors: `insufficient_scope` for a scope that
 * the person has not, `validation_failed` for an expiry in the past, `invalid_credentials` for who has just left,
 * `too_many_keys`.
 */
export async function createApiKey(
  work: Work,
  input: ApiKeyInput,
  role_grants: RoleGrants,
  random: (count: number) => Uint8Array = randomBytes,
): Promise<{ api_key: ApiKey; secret: string }> {
  const created_by = work.actor.user_id!;
  const own = role_grants[await presentRole(work, created_by)];
  const scopes = input.scopes ?? [...own];
  const beyond = scopes.filter((scope) => !isWithin(own, scope));
  if (beyond.length > 0) {
    throw new Failure('insufficient_scope', {
      detail: {
        en: `You do not have ${beyond.join(', ')} yourself`,
        ja: `ご自身に ${beyond.join('、')} の権限がありません`,
      },
      members: { required_scope: beyond[0] },
    });
  }
  const expires_at = input.expires_at ?? null;
  if (expires_at !== null && Date.parse(expires_at) <= work.now.getTime()) {
    throw invalid('/expires_at', 'in_the_past', {
      en: 'expires_at must be later than now',
      ja: 'expires_at には現在より後の日時を指定してください',
    });
  }
  await requireRoom(work);
  const secret = newSecret(random);
  const created_at = work.now.toISOString();
  const row: ApiKeyRow = {
    id: newId('ak', work.now),
    name: input.name,
    start: secret.slice(0, SHOWN),
    scopes,
    created_by,
    created_at,
    updated_at: created_at,
    last_used_at: null,
    expires_at,
    revoked_at: null,
  };
  const api_key = apiKeyOf(row);
  work.insert(ApiKeyModel, row);
  work.run('INSERT INTO api_key_hashes (key_hash, organization_id, api_key_id) VALUES ($1, $2, $3)', [
    hashOfSecret(secret),
    work.organization_id,
    row.id,
  ]);
  work.record(apiKeyFacts.created, { before: null, after: api_key });
  return { api_key, secret };
}

/** Revokes a key for good; requests with it are refused from the commit on. Errors: `not_found`, also when revoked. */
export async function revokeApiKey(work: Work, id: string): Promise<void> {
  await apiKeyById(work, id);
  const [row] = await work.connection.query<ApiKeyRow>(
    `SELECT ${apiKeyColumns.join(', ')} FROM api_keys
      WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR UPDATE`,
    [work.organization_id, id],
  );
  if (!row) throw notFound();
  work.precondition(row);
  revokeKey(work, row);
}

/** Revokes every key that a user made in the work's organization. */
export async function revokeKeysOf(work: Work, user_id: string): Promise<void> {
  const rows = await work.connection.query<ApiKeyRow>(
    `SELECT ${apiKeyColumns.join(', ')} FROM api_keys
      WHERE organization_id = $1 AND created_by = $2 AND revoked_at IS NULL ORDER BY id FOR UPDATE`,
    [work.organization_id, user_id],
  );
  for (const row of rows) revokeKey(work, row);
}

/** Revokes a living key, whose row is locked; its secret is unknown from the commit on. */
export function revokeKey(work: Work, row: ApiKeyRow): void {
  const before = apiKeyOf(row);
  const after = { ...before, revoked_at: work.now.toISOString(), updated_at: work.touch(row) };
  work.update(ApiKeyModel, row.id, { revoked_at: after.revoked_at, updated_at: after.updated_at });
  work.run('DELETE FROM api_key_hashes WHERE organization_id = $1 AND api_key_id = $2', [
    work.organization_id,
    row.id,
  ]);
  work.record(apiKeyFacts.deleted, { before, after });
}

/**
 * Errors: `too_many_keys`. Of keys made at the same time each waits for the one before and then counts it: the lock is
 * taken after the member's row, and held until the commit.
 */
async function requireRoom({ connection, organization_id, now }: Work): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `api_keys ${organization_id}`,
  ]);
  const [row] = await connection.query<{ living: number }>(
    `SELECT count(*)::integer AS living FROM api_keys
      WHERE organization_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [organization_id, now.toISOString()],
  );
  if (row!.living >= MOST_KEYS) {
    throw new Failure('too_many_keys', {
      detail: {
        en: `An organization may have ${MOST_KEYS} API keys; revoke one first`,
        ja: `APIキーは組織ごとに${MOST_KEYS}個までです。先に1つを無効にしてください`,
      },
    });
  }
}

function isWithin(own: readonly Grant[], scope: Grant): boolean {
  return scope === '*' ? own.includes('*') : allows(own, scope);
}

/** Locked until the commit: a member who is being removed at this moment leaves no key behind. */
async function presentRole(work: Work, user_id: string): Promise<Role> {
  const [member] = await work.connection.query<{ role: Role }>(
    'SELECT role FROM members WHERE organization_id = $1 AND user_id = $2 AND left_at IS NULL FOR SHARE',
    [work.organization_id, user_id],
  );
  if (!member) throw new Failure('invalid_credentials');
  return member.role;
}
