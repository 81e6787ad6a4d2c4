import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { normalise } from '../../platform/search/normalise.ts';
import { normalSide } from './kinds.ts';
import { type Account, AccountModel, accountKind } from './record.ts';

export const accountColumns = [
  'id',
  'code',
  'name',
  'name_en',
  'account_type',
  'section',
  'cf_class',
  'cf_adjustment',
  'parent_id',
  'description',
  'tax_category',
  'is_active',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

export type AccountRow = Omit<Account, 'object' | 'normal_side' | 'has_lines'>;

/** A row as the API shows it. */
export function accountOf(row: AccountRow, has_lines: boolean): Account {
  const { id, external_id, metadata, created_at, updated_at, ...fields } = row;
  const normal_side = normalSide(fields.account_type);
  return {
    id,
    object: 'accounting.account',
    ...fields,
    normal_side,
    has_lines,
    external_id,
    metadata,
    created_at,
    updated_at,
  };
}

const BY_ID = `SELECT ${accountColumns.join(', ')} FROM accounting_accounts WHERE organization_id = $1 AND id = $2`;

/** One account. Errors: `not_found`. */
export async function accountById(reader: Reader, id: string): Promise<Account> {
  return readAccount(reader, BY_ID, id);
}

/**
 * The same, its row locked until the work commits; for a removal nothing can refer to it meanwhile. Errors: `not_found`.
 */
export async function lockAccount(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<Account> {
  return readAccount(reader, `${BY_ID} ${purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE'}`, id);
}

async function readAccount(reader: Reader, text: string, id: string): Promise<Account> {
  const [[row], used] = await Promise.all([
    reader.connection.query<AccountRow>(text, [reader.organization_id, id]),
    withLines(reader, [id]),
  ]);
  if (!row) throw notFound();
  return accountOf(row, used.has(id));
}

/** Which of the accounts have lines: a step in the index for each. */
async function withLines(reader: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reader.connection.query<{ id: string }>(
    `SELECT id FROM unnest($2::text[]) AS account (id) WHERE EXISTS (
       SELECT FROM accounting_lines WHERE organization_id = $1 AND account_id = account.id)`,
    [reader.organization_id, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export type AccountFilters = LookUps & {
  search?: string;
  account_type?: Account['account_type'];
  section?: Account['section'];
  is_active?: boolean;
};

function accountList(reader: Reader, filters: AccountFilters, window: Window): ListQuery {
  const { search, account_type, section, is_active } = filters;
  const query = AccountModel.table(reader);
  if (account_type !== undefined) query.where({ account_type });
  if (section !== undefined) query.where({ section });
  if (is_active !== undefined) query.where({ is_active });
  // A chart has some hundred rows: those of the organization are looked through.
  if (search !== undefined) query.whereRaw('position(? IN search_text) > 0', [normalise(search)]);
  return {
    query,
    table: AccountModel.tableName,
    columns: accountColumns,
    prefix: 'acc',
    sorts: { code: 'code', name: 'name' },
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: accountKind, asked: filters },
  };
}

/** A window of the organization's accounts: by code unless another order is asked for. */
export async function accountPage(
  reader: Reader,
  filters: AccountFilters,
  window: Window,
): Promise<Page<Account>> {
  const page = await pageOf<AccountRow>(reader, accountList(reader, filters, window));
  const used = await withLines(
    reader,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => accountOf(row, used.has(row.id))) };
}
