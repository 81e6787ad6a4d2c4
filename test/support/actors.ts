import { randomBytes } from 'node:crypto';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Grant, Role } from '../../shared/kernel/scope.ts';
import { hashOfSecret, newSecret } from '../../shared/platform/access/secret.ts';

/** A member of an organization with a key of theirs. */
export type TestActor = { organization_id: string; user_id: string; api_key_id: string; secret: string };

/**
 * A member with an API key, in a new organization unless one is named, written straight into the tables: what a
 * test is about begins after this.
 */
export async function newActor(
  database: Database,
  options: { organization_id?: string; role?: Role; scopes?: Grant[] } = {},
): Promise<TestActor> {
  const now = new Date();
  const at = now.toISOString();
  const organization_id = options.organization_id ?? newId('org', now);
  const user_id = newId('usr', now);
  const api_key_id = newId('ak', now);
  const secret = newSecret(randomBytes);
  const { role = 'owner', scopes = ['*'] } = options;
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO organizations VALUES ($1, 'テスト株式会社', $2, '2026-02-22', $3, $3) ON CONFLICT DO NOTHING`,
      [organization_id, organization_id.replace('_', '-'), at],
    );
    await query(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ($1, '試験 太郎', $2, true, $3, $3)`,
      [user_id, `${user_id}@example.com`, at],
    );
    await query(
      `INSERT INTO members (organization_id, id, user_id, role, joined_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5, $5)`,
      [organization_id, newId('mbr', now), user_id, role, at],
    );
    await query(
      `INSERT INTO attendance_members (organization_id, id, user_id, name, email, status, searched_name, search_text,
         search_grams, created_at, updated_at)
       VALUES ($1, $2, $3, '試験 太郎', $4, 'active', '試験 太郎', '試験 太郎', '{}', $5, $5)`,
      [organization_id, newId('mem', now), user_id, `${user_id}@example.com`, at],
    );
    await query(
      `INSERT INTO attendance_schedules (organization_id, id, name, "start", "end", breaks, minutes, half_day,
         is_default, created_at, updated_at)
       VALUES ($1, $2, '標準', '09:00', '18:00', '[{"start": "12:00", "end": "13:00"}]', 480,
         '{"am_end": "12:00", "pm_start": "13:00"}', true, $3, $3)
       ON CONFLICT (organization_id) WHERE is_default DO NOTHING`,
      [organization_id, newId('wsch', now), at],
    );
    await query(
      `INSERT INTO api_keys (organization_id, id, name, start, scopes, created_by, created_at, updated_at)
       VALUES ($1, $2, 'test', 'sk_test', $3, $4, $5, $5)`,
      [organization_id, api_key_id, scopes, user_id, at],
    );
    await query('INSERT INTO api_key_hashes VALUES ($1, $2, $3)', [
      hashOfSecret(secret),
      organization_id,
      api_key_id,
    ]);
  });
  return { organization_id, user_id, api_key_id, secret };
}
