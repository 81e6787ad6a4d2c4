import type { Knex } from 'knex';
import { isCompany } from '../../crm/aliases.ts';
import type { Condition } from '../../db/keyset.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { daysLater, startOfDay } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { contextOf, type DocumentContext } from './context.ts';
import { type AgeingBucket, ageing, dueSoon, expired, outstanding, overdue } from './due.ts';
import { type DocumentKind, kinds } from './kinds.ts';
import { DocumentModel, type DocumentRecord, documentRecordKinds } from './record.ts';
import { documentColumns, documentsById } from './rows.ts';
import type { Document } from './shape.ts';
import { summaryOf } from './shown.ts';

/** What the lists of documents are filtered by; each kind offers its own of these. Days are YYYY-MM-DD, inclusive. */
export type DocumentFilters = LookUps & {
  /** Any of them; one alone in exports that the release before was asked for. */
  status?: string | string[];
  company_id?: string;
  search?: string;
  issue_date_from?: string;
  issue_date_to?: string;
  due_date_from?: string;
  due_date_to?: string;
  approved_from?: string;
  approved_to?: string;
  expired?: boolean;
  overdue?: boolean;
  due_soon?: boolean;
  outstanding?: boolean;
  ageing?: AgeingBucket;
  invoice_id?: string;
};

/** The sort fields of the lists of documents, beside those of every list. */
export const documentSorts = {
  issue_date: 'issue_date',
  due_date: { column: 'due_date', nullable: true },
  number: { column: 'number', nullable: true },
  total: 'total',
} as const;

/** Those of invoices: by what is left to be paid, too. */
export const invoiceSorts = { ...documentSorts, balance: 'balance' } as const;

/** The filters that ask what day it is in the settings' zone. */
const DATED = ['expired', 'overdue', 'due_soon', 'ageing', 'approved_from', 'approved_to'] as const;

/** The documents of a kind that the filters leave; `context` may be null where none of them asks for the day. */
export function documentList(
  reader: Reader,
  kind: DocumentKind,
  filters: DocumentFilters,
  window: Window,
  context: DocumentContext | null,
): ListQuery {
  return {
    query: filtered(reader, kind, filters, context),
    table: DocumentModel.tableName,
    columns: documentColumns,
    prefix: kinds[kind].prefix,
    sorts: kind === 'invoice' ? invoiceSorts : documentSorts,
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: DocumentModel.tableName, kind },
    look_ups: { kind: documentRecordKinds[kind], asked: filters },
    search: filters.search === undefined ? null : searchTerm(filters.search, { phones: false }),
  };
}

/**
 * A window of the documents that the filters leave, without their lines. Their IDs are found first, and the rows read
 * by a statement of their own: its many columns and joins are planned once, and not anew for each filter.
 */
export async function documentPage(
  reader: Reader,
  kind: DocumentKind,
  filters: DocumentFilters,
  window: Window,
): Promise<Page<Omit<Document, 'line_items'>>> {
  const asked = contextOf(reader);
  // The settings travel with the rows unless a filter waits for them.
  const known = DATED.some((name) => filters[name] !== undefined) ? await asked : null;
  const list = documentList(reader, kind, filters, window, known);
  const listed = () => pageOf<{ id: string }>(reader, { ...list, columns: ['id'] });
  const [first, context] = await Promise.all([listed(), asked]);
  const page = await withRecords(reader, kind, first, listed);
  return { ...page, rows: page.rows.map((record) => summaryOf(record, context)) };
}

/** The records of a page of IDs. One that was removed meanwhile would leave it short: then it is `listed` again. */
async function withRecords(
  reader: Reader,
  kind: DocumentKind,
  page: Page<{ id: string }>,
  listed: () => Promise<Page<{ id: string }>>,
): Promise<Page<DocumentRecord>> {
  const records = await documentsById(
    reader,
    kind,
    page.rows.map(({ id }) => id),
  );
  const rows = page.rows.flatMap(({ id }) => records.get(id) ?? []);
  return rows.length < page.rows.length
    ? withRecords(reader, kind, await listed(), listed)
    : { ...page, rows };
}

function filtered(
  reader: Reader,
  kind: DocumentKind,
  filters: DocumentFilters,
  context: DocumentContext | null,
): Knex.QueryBuilder {
  const table = DocumentModel.tableName;
  const query = DocumentModel.table(reader).where(`${table}.kind`, kind);
  if (filters.status) query.whereRaw(`"${table}".status = ANY (?)`, [[filters.status].flat()]);
  if (filters.company_id) query.whereRaw(...isCompany(reader, table, filters.company_id));
  if (filters.invoice_id) query.where(`${table}.invoice_id`, filters.invoice_id);
  if (filters.issue_date_from) query.where(`${table}.issue_date`, '>=', filters.issue_date_from);
  if (filters.issue_date_to) query.where(`${table}.issue_date`, '<=', filters.issue_date_to);
  if (filters.due_date_from) query.where(`${table}.due_date`, '>=', filters.due_date_from);
  if (filters.due_date_to) query.where(`${table}.due_date`, '<=', filters.due_date_to);
  for (const { text, values } of conditionsOf(filters, context)) {
    query.whereRaw(text, values as Knex.RawBinding[]);
  }
  return query;
}

function conditionsOf(filters: DocumentFilters, context: DocumentContext | null): Condition[] {
  const conditions: Condition[] = [];
  const known = () => {
    if (!context) throw new Error('A filter that asks for the day is missing among DATED');
    return context;
  };
  const begin = (day: string) => startOfDay(day, known().settings.time_zone);
  const { approved_from, approved_to } = filters;
  if (approved_from) conditions.push({ text: 'approved_at >= ?', values: [begin(approved_from)] });
  if (approved_to) conditions.push({ text: 'approved_at < ?', values: [begin(daysLater(approved_to, 1))] });
  if (filters.expired !== undefined) conditions.push(expired(filters.expired, known().today));
  if (filters.overdue !== undefined) conditions.push(overdue(filters.overdue, known().today));
  if (filters.due_soon !== undefined) conditions.push(dueSoon(filters.due_soon, known().today));
  if (filters.outstanding !== undefined) conditions.push(outstanding(filters.outstanding));
  if (filters.ageing) conditions.push(ageing(filters.ageing, known().today));
  return conditions;
}
