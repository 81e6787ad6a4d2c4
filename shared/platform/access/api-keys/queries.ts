import { pageOf } from '../../../db/list.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { allows } from '../../../kernel/scope.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { type ApiKey, ApiKeyModel } from './record.ts';

export const apiKeyColumns = [
  'id',
  'name',
  'start',
  'scopes',
  'created_by',
  'created_at',
  'updated_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

export type ApiKeyRow = Omit<ApiKey, 'object'>;

/** A row as the API shows it. */
export function apiKeyOf(row: ApiKeyRow): ApiKey {
  const { id, name, start, scopes, created_by, created_at, updated_at } = row;
  const { last_used_at, expires_at, revoked_at } = row;
  const times = { created_at, updated_at, last_used_at, expires_at, revoked_at };
  return { id, object: 'api_key', name, start, scopes, created_by, ...times };
}

/** One key that the caller may manage. Errors: `not_found`. */
export async function apiKeyById(reader: Reader, id: string): Promise<ApiKey> {
  const row = (await manageable(reader).where({ id }).first(apiKeyColumns)) as ApiKeyRow | undefined;
  if (!row) throw notFound();
  return apiKeyOf(row);
}

/** A window of the keys that the caller may manage: revoked and expired ones too, unless `working` is asked for. */
export async function apiKeyPage(
  reader: Reader,
  filters: { created_by?: string; working?: boolean },
  window: Window,
): Promise<Page<ApiKey>> {
  const query = manageable(reader);
  if (filters.created_by) query.where('api_keys.created_by', filters.created_by);
  if (filters.working) {
    const now = reader.now.toISOString();
    query.whereNull('api_keys.revoked_at');
    query.whereRaw('(api_keys.expires_at IS NULL OR api_keys.expires_at > ?)', [now]);
  }
  const table = ApiKeyModel.tableName;
  const page = await pageOf<ApiKeyRow>(reader, {
    query,
    table,
    columns: apiKeyColumns,
    prefix: 'ak',
    window,
  });
  return { ...page, rows: page.rows.map(apiKeyOf) };
}

/** Owners and admins manage every key, others those that they made. */
function manageable(reader: Reader) {
  const query = ApiKeyModel.table(reader);
  if (allows(reader.actor.grants, 'settings:write')) return query;
  return query.where('api_keys.created_by', reader.actor.user_id);
}
