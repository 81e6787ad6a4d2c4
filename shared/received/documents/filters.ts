import type { Knex } from 'knex';
import { isCompany } from '../../crm/aliases.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import { receivedContext } from '../context.ts';
import { narrowByText } from './by-text.ts';
import type { ReceivedKind } from './kinds.ts';
import { overdue, UNPAID } from './open.ts';
import { ReceivedModel } from './record.ts';

/** What lists of received documents are filtered by. Days are YYYY-MM-DD, amounts whole yen; bounds include both ends. */
export type ReceivedFilters = LookUps & {
  kind?: ReceivedKind | undefined;
  status?: string[] | undefined;
  company_id?: string | undefined;
  /** Part of the name of the sender. */
  partner?: string | undefined;
  search?: string | undefined;
  issue_date_from?: string | undefined;
  issue_date_to?: string | undefined;
  due_date_from?: string | undefined;
  due_date_to?: string | undefined;
  transaction_date_from?: string | undefined;
  transaction_date_to?: string | undefined;
  total_min?: number | undefined;
  total_max?: number | undefined;
  has_file?: boolean | undefined;
  incomplete?: boolean | undefined;
  sha256?: string | undefined;
  paid_from?: string | undefined;
  paid_to?: string | undefined;
  unpaid?: boolean | undefined;
  overdue?: boolean | undefined;
  qualified?: boolean | undefined;
  has_journal?: boolean | undefined;
};

/** The columns that are bounded; the day of a transaction that went over days is the last of them. */
const bounded = {
  issue_date: ['issue_date', 'from', 'to'],
  due_date: ['due_date', 'from', 'to'],
  transaction_date: ['retention_date', 'from', 'to'],
  total: ['total', 'min', 'max'],
  paid: ['paid_on', 'from', 'to'],
} as const;

const TABLE = ReceivedModel.tableName;

/** An entry that was taken back, and the mirror of it, leave the invoice to be booked again. */
const BOOKED = `EXISTS (SELECT FROM accounting_journals AS journal
  WHERE journal.organization_id = ${TABLE}.organization_id AND journal.source_id = ${TABLE}.id
    AND journal.status <> 'voided' AND journal.reverses IS NULL)`;

const WITH_BYTES = `${TABLE}.id = ANY (ARRAY(SELECT document_id FROM received_files
  WHERE organization_id = ? AND sha256 = ?))`;

type Ordered = { column: string; direction: 'asc' | 'desc' };

function ofKinds(reader: Reader, wanted: readonly ReceivedKind[]): Knex.QueryBuilder {
  return ReceivedModel.table(reader).whereIn(`${TABLE}.kind`, [...wanted]);
}

/**
 * The rows of several kinds in an order that indexes have for each kind alone: as each is asked for in that order, PostgreSQL
 * merges them, and reads no more of them than a page has.
 */
function mergedKinds(
  reader: Reader,
  wanted: readonly ReceivedKind[],
  order: readonly Ordered[],
): Knex.QueryBuilder {
  const each = wanted.map((kind) => {
    const rows = ofKinds(reader, [kind]);
    for (const { column, direction } of order) rows.orderBy(column, direction);
    return rows;
  });
  const merged = reader.connection.from().unionAll(each, true);
  return reader.connection.from().from(merged.as(TABLE));
}

/**
 * Received documents of such kinds that the filters leave but for `search`; `order` is given where several kinds are read in that of
 * a column. In an object, since an awaited query runs.
 */
export async function receivedRows(
  reader: Reader,
  wanted: readonly ReceivedKind[],
  filters: ReceivedFilters,
  order: readonly Ordered[] | null = null,
): Promise<{ query: Knex.QueryBuilder }> {
  const { status, company_id, partner, has_file, incomplete, sha256, qualified, has_journal } = filters;
  const query = order === null ? ofKinds(reader, wanted) : mergedKinds(reader, wanted, order);
  if (status !== undefined) query.whereRaw(`${TABLE}.status = ANY (?)`, [status]);
  if (company_id !== undefined) query.whereRaw(...isCompany(reader, TABLE, company_id));
  for (const [name, [column, first, last]] of Object.entries(bounded)) {
    const asked = filters as Record<string, string | number | undefined>;
    const [least, most] = [asked[`${name}_${first}`], asked[`${name}_${last}`]];
    if (least !== undefined) query.where(`${TABLE}.${column}`, '>=', least);
    if (most !== undefined) query.where(`${TABLE}.${column}`, '<=', most);
  }
  if (has_file !== undefined) query.whereRaw(`${TABLE}.file_count ${has_file ? '>' : '='} 0`);
  if (incomplete !== undefined) query.whereRaw(`${TABLE}.missing ${incomplete ? '<>' : '='} '[]'`);
  if (sha256 !== undefined) query.whereRaw(WITH_BYTES, [reader.organization_id, sha256]);
  if (qualified !== undefined) query.where(`${TABLE}.qualified`, qualified);
  if (has_journal !== undefined) query.whereRaw(has_journal ? BOOKED : `NOT ${BOOKED}`);
  if (filters.unpaid !== undefined)
    query.whereRaw(filters.unpaid ? `(${UNPAID})` : `(${UNPAID}) IS NOT TRUE`);
  if (filters.overdue !== undefined) {
    const { text, values } = overdue(filters.overdue, (await receivedContext(reader)).today);
    query.whereRaw(text, values as Knex.RawBinding[]);
  }
  if (partner !== undefined) await narrowByText(reader, query, 'partner', partner);
  return { query };
}
