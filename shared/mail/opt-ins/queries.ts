import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type OptIn, OptInModel, type OptInStatus } from './record.ts';

const columns = [
  'id',
  'email',
  'list_id',
  'first_name',
  'last_name',
  'text',
  'source',
  'locale',
  'confirmed_at',
  'expires_at',
  'created_at',
  'updated_at',
] as const;

export type OptInRow = Pick<OptIn, (typeof columns)[number]>;

/** A row as the API shows it at an instant. */
export function optInOf(row: OptInRow, now: Date): OptIn {
  const { id, email, list_id, first_name, last_name, text, source, locale } = row;
  return {
    id,
    object: 'mail.opt_in',
    email,
    list_id,
    first_name,
    last_name,
    text,
    source,
    locale,
    status: statusOf(row, now),
    ...pick(row, ['confirmed_at', 'expires_at', 'created_at', 'updated_at']),
  };
}

function statusOf({ confirmed_at, expires_at }: OptInRow, now: Date): OptInStatus {
  if (confirmed_at !== null) return 'confirmed';
  return expires_at <= now.toISOString() ? 'expired' : 'pending';
}

/** An opt-in, its row locked until the work commits where asked; null where there is none. */
export async function findOptIn(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<OptInRow | null> {
  const [row] = await connection.query<OptInRow>(
    `SELECT ${columns.join(', ')} FROM mail_opt_ins WHERE organization_id = $1 AND id = $2 ${lock}`,
    [organization_id, id],
  );
  return row ?? null;
}

export type OptInFilters = { status?: OptInStatus };

/** A window of the opt-ins of a status. */
export async function optInPage(reader: Reader, filters: OptInFilters, window: Window): Promise<Page<OptIn>> {
  const page = await pageOf<OptInRow>(reader, optInList(reader, filters, window));
  return { ...page, rows: page.rows.map((row) => optInOf(row, reader.now)) };
}

function optInList(reader: Reader, { status }: OptInFilters, window: Window): ListQuery {
  const query = OptInModel.table(reader);
  const now = reader.now.toISOString();
  if (status === 'confirmed') query.whereNotNull('mail_opt_ins.confirmed_at');
  if (status === 'pending')
    query.whereNull('mail_opt_ins.confirmed_at').where('mail_opt_ins.expires_at', '>', now);
  if (status === 'expired')
    query.whereNull('mail_opt_ins.confirmed_at').where('mail_opt_ins.expires_at', '<=', now);
  return {
    query,
    table: OptInModel.tableName,
    columns,
    prefix: 'mopt',
    window,
    is_filtered: isFiltered({ status }),
  };
}
