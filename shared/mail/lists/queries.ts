import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type MailList, MailListModel, type MailMembership, mailListKind } from './record.ts';

const columns = [
  'id',
  'name',
  'description',
  'external_id',
  'metadata',
  'contact_count',
  'active_count',
  'created_at',
  'updated_at',
] as const;

export type MailListRow = Omit<MailList, 'object'>;

/** A row as the API shows it. */
export function mailListOf(row: MailListRow): MailList {
  const {
    id,
    name,
    description,
    external_id,
    metadata,
    contact_count,
    active_count,
    created_at,
    updated_at,
  } = row;
  return {
    id,
    object: 'mail.list',
    name,
    description,
    external_id,
    metadata,
    contact_count,
    active_count,
    created_at,
    updated_at,
  };
}

const BY_ID = `SELECT ${columns.join(', ')} FROM mail_lists WHERE organization_id = $1 AND id = $2`;

/** One list. Errors: `not_found`. */
export async function mailListById(reader: Reader, id: string): Promise<MailList> {
  return readList(reader, BY_ID, id);
}

/** The same, its row locked until the work commits; for a removal nobody joins meanwhile. Errors: `not_found`. */
export async function lockMailList(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<MailList> {
  return readList(reader, `${BY_ID} ${purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE'}`, id);
}

async function readList(reader: Reader, text: string, id: string): Promise<MailList> {
  const [row] = await reader.connection.query<MailListRow>(text, [reader.organization_id, id]);
  if (!row) throw notFound();
  return mailListOf(row);
}

/** A contact's membership of a list, or null. */
export async function membershipOf(
  reader: Reader,
  list_id: string,
  contact_id: string,
): Promise<MailMembership | null> {
  const [row] = await reader.connection.query<MailMembership>(
    `SELECT list_id, contact_id, added_at, unsubscribed_at FROM mail_list_members
      WHERE organization_id = $1 AND list_id = $2 AND contact_id = $3`,
    [reader.organization_id, list_id, contact_id],
  );
  return row ?? null;
}

/** The organization's lists. */
function mailListList(reader: Reader, filters: LookUps, window: Window): ListQuery {
  return {
    query: MailListModel.table(reader),
    table: MailListModel.tableName,
    columns,
    prefix: 'mlist',
    sorts: { name: 'name_key' },
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: mailListKind, asked: filters },
  };
}

/** A window of the organization's lists. */
export async function mailListPage(
  reader: Reader,
  filters: LookUps,
  window: Window,
): Promise<Page<MailList>> {
  const page = await pageOf<MailListRow>(reader, mailListList(reader, filters, window));
  return { ...page, rows: page.rows.map(mailListOf) };
}
