import type { Connection } from '../../../kernel/connection.ts';
import type { Work } from '../../../kernel/work.ts';
import { revokeKey } from './operations.ts';
import { type ApiKeyRow, apiKeyColumns } from './queries.ts';

/** A living key of a person, as they know it. */
export type LivingKey = Pick<ApiKeyRow, 'id' | 'name' | 'start' | 'last_used_at'> & {
  organization_name: string;
};

const LIVING = `members
  JOIN api_keys ON api_keys.organization_id = members.organization_id AND api_keys.created_by = members.user_id
 WHERE members.user_id = $1 AND api_keys.revoked_at IS NULL
   AND (api_keys.expires_at IS NULL OR api_keys.expires_at > $2)`;

/** How many living keys a person made in all their organizations, and the newest of them. */
export async function livingKeysOf(
  connection: Connection,
  user_id: string,
  now: Date,
  newest: number,
): Promise<{ count: number; keys: LivingKey[] }> {
  const rows = await connection.query<LivingKey & { count: number }>(
    `SELECT living.*, organizations.name AS organization_name FROM (
       SELECT api_keys.id, api_keys.organization_id, api_keys.name, start, last_used_at, count(*) OVER () AS count
         FROM ${LIVING} ORDER BY api_keys.id DESC LIMIT $3
     ) AS living JOIN organizations ON organizations.id = living.organization_id ORDER BY living.id DESC`,
    [user_id, now.toISOString(), newest],
  );
  const keys = rows.map(({ id, name, start, last_used_at, organization_name }) => {
    return { id, name, start, last_used_at, organization_name };
  });
  return { count: rows[0]?.count ?? 0, keys };
}

/** Revokes every living key that a person made, in all their organizations; answers how many. */
export async function revokeEveryKeyOf(work: Work, user_id: string): Promise<number> {
  const columns = apiKeyColumns.map((column) => `api_keys.${column}`).join(', ');
  const rows = await work.connection.query<ApiKeyRow & { organization_id: string }>(
    `SELECT api_keys.organization_id, ${columns} FROM ${LIVING}
      ORDER BY api_keys.organization_id, api_keys.id FOR UPDATE OF api_keys`,
    [user_id, work.now.toISOString()],
  );
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id);
  for (const [organization_id, own] of byOrganization) {
    const inside = work.inOrganization(organization_id);
    for (const row of own) revokeKey(inside, row);
  }
  return rows.length;
}
