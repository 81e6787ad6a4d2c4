import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { missing } from '../aliases.ts';
import { numberWarnings } from '../corporate-number.ts';
import { type OpenDeals, shownOpenAmounts } from '../deal-amount.ts';
import { tagsOf } from '../tags/queries.ts';
import type { TagLabel } from '../tags/record.ts';
import { type Company, CompanyModel, companyFields, companyKind } from './record.ts';

export const companyColumns = [
  'id',
  ...companyFields,
  'customer_since',
  'open_deals',
  'open_amount',
  'open_amounts',
  'created_at',
  'updated_at',
] as const;

/** A row of the table; its amounts are exact decimal text. */
export type CompanyRow = Omit<Company, 'object' | 'tags' | 'warnings' | 'open_amounts'> & OpenDeals;

/** A row as the API shows it. */
export function companyOf(row: CompanyRow, tags: TagLabel[]): Company {
  const { id, custom_fields, customer_since, open_deals, open_amount, created_at, updated_at, ...fields } =
    row;
  return {
    id,
    object: 'crm.company',
    ...fields,
    custom_fields,
    tags,
    customer_since,
    open_deals,
    open_amount,
    open_amounts: shownOpenAmounts(row),
    warnings: numberWarnings(row),
    created_at,
    updated_at,
  };
}

const BY_ID = `SELECT ${companyColumns.join(', ')} FROM crm_companies WHERE organization_id = $1 AND id = $2`;

/** One company. Errors: `not_found`. */
export async function companyById(reader: Reader, id: string): Promise<Company> {
  const [[row], tags] = await Promise.all([
    reader.connection.query<CompanyRow>(BY_ID, [reader.organization_id, id]),
    tagsOf(reader, 'company', [id]),
  ]);
  if (!row) throw notFound();
  return companyOf(row, tags(id));
}

const BY_IDS = `SELECT ${companyColumns.join(', ')} FROM crm_companies
  WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id`;

/** Companies in the order of their IDs; missing ones are left out. */
export async function companiesById(reader: Reader, ids: readonly string[]): Promise<Company[]> {
  if (ids.length === 0) return [];
  const [rows, tags] = await Promise.all([
    reader.connection.query<CompanyRow>(BY_IDS, [reader.organization_id, ids]),
    tagsOf(reader, 'company', ids),
  ]);
  return rows.map((row) => companyOf(row, tags(row.id)));
}

export type LockedCompany = { company: Company; totals: OpenDeals };

/**
 * A company and its totals as they are kept, its row locked until the work commits. For a removal nothing new can
 * refer to it meanwhile. Errors: `not_found`.
 */
export async function lockCompany(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<LockedCompany> {
  const lock = purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE';
  const [[row], tags] = await Promise.all([
    reader.connection.query<CompanyRow>(`${BY_ID} ${lock}`, [reader.organization_id, id]),
    tagsOf(reader, 'company', [id]),
  ]);
  if (!row) throw await missing(reader, id);
  const { open_deals, open_amounts } = row;
  return { company: companyOf(row, tags(id)), totals: { open_deals, open_amounts } };
}

export type CompanyFilters = LookUps & { search?: string; owner_id?: string; tag_id?: string };

/** The companies that the filters leave. */
export function companyList(reader: Reader, filters: CompanyFilters, window: Window): ListQuery {
  const query = CompanyModel.table(reader);
  if (filters.owner_id) query.where('crm_companies.owner_id', filters.owner_id);
  if (filters.tag_id) {
    const tagged = reader.connection
      .from('crm_tag_assignments')
      .where({ organization_id: reader.organization_id, tag_id: filters.tag_id })
      .select('company_id');
    query.whereIn('crm_companies.id', tagged);
  }
  return {
    query,
    table: CompanyModel.tableName,
    columns: companyColumns,
    prefix: 'comp',
    sorts: { name: 'sort_name', open_amount: 'open_amount' },
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: CompanyModel.tableName },
    look_ups: { kind: companyKind, asked: filters },
    search: filters.search === undefined ? null : searchTerm(filters.search),
  };
}

/** A window of the companies that the filters leave. */
export async function companyPage(
  reader: Reader,
  filters: CompanyFilters,
  window: Window,
): Promise<Page<Company>> {
  const page = await pageOf<CompanyRow>(reader, companyList(reader, filters, window));
  const ids = page.rows.map(({ id }) => id);
  const tags = await tagsOf(reader, 'company', ids);
  return { ...page, rows: page.rows.map((row) => companyOf(row, tags(row.id))) };
}
