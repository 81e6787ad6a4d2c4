import { companyIds } from '../../crm/aliases.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { hasTerm } from '../../db/search-term.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { unknownParameter } from '../reports/asked.ts';
import { contextOf } from './context.ts';
import { ApprovalModel, type Journal, type JournalApproval, JournalModel, journalKind } from './record.ts';
import { type Entry, evidenceIdsOf, type JournalRow, journalColumns, journalOf, linesOf } from './rows.ts';

const BY_ID = `SELECT ${journalColumns.join(', ')} FROM accounting_journals WHERE organization_id = $1 AND id = $2`;

/** One entry. Errors: `not_found`. */
export async function journalById(reader: Reader, id: string): Promise<Journal> {
  const [entry, context] = await Promise.all([entryBy(reader, BY_ID, id), contextOf(reader)]);
  return journalOf(entry, context);
}

/** One entry with its lines, its row locked until the work commits. Errors: `not_found`. */
export function lockEntry(reader: Reader, id: string): Promise<Entry> {
  return entryBy(reader, `${BY_ID} FOR NO KEY UPDATE`, id);
}

async function entryBy(reader: Reader, text: string, id: string): Promise<Entry> {
  // The lines are read by a statement behind the one that waits for the lock.
  const [[row], lines, document_ids] = await Promise.all([
    reader.connection.query<JournalRow>(text, [reader.organization_id, id]),
    linesOf(reader, [id]),
    evidenceIdsOf(reader, [id]),
  ]);
  if (!row) throw notFound();
  return { row, lines: lines(id), document_ids: document_ids(id) };
}

/** What becomes of the entries of records when those are taken back. */
export type EntriesOfSources = { posted: Entry[]; unposted: Entry[] };

/**
 * The entries that were made from these records and stand: the posted ones that no mirror took back, and those not posted
 * yet. Locked in the order of their IDs.
 */
export async function lockEntriesOf(
  reader: Reader,
  sources: readonly { type: string; id: string }[],
): Promise<EntriesOfSources> {
  if (sources.length === 0) return { posted: [], unposted: [] };
  const rows = await reader.connection.query<JournalRow>(
    `SELECT ${journalColumns.join(', ')} FROM accounting_journals
      WHERE organization_id = $1 AND source_id = ${oneOf('$2')} AND status <> 'voided' AND reverses IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [reader.organization_id, sources.map(({ id }) => id)],
  );
  const lines = await linesOf(
    reader,
    rows.map(({ id }) => id),
  );
  const entries = rows.map((row): Entry => ({ row, lines: lines(row.id) }));
  return {
    posted: entries.filter(({ row }) => row.status === 'posted'),
    unposted: entries.filter(({ row }) => row.status !== 'posted'),
  };
}

/** Entries with their lines and evidence, locked in the order of their IDs; one that is gone is not among them. */
export async function lockEntries(reader: Reader, ids: readonly string[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const rows = await reader.connection.query<JournalRow>(
    `SELECT ${journalColumns.join(', ')} FROM accounting_journals
      WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id FOR UPDATE`,
    [reader.organization_id, ids],
  );
  const locked = rows.map(({ id }) => id);
  const [lines, evidence] = await Promise.all([linesOf(reader, locked), evidenceIdsOf(reader, locked)]);
  return rows.map((row) => ({ row, lines: lines(row.id), document_ids: evidence(row.id) }));
}

export type JournalFilters = LookUps & {
  status?: readonly Journal['status'][];
  kind?: Journal['kind'];
  fiscal_year_id?: string;
  date_from?: string;
  date_to?: string;
  account_id?: string;
  company_id?: string;
  department_id?: string;
  tax_category?: string;
  amount_min?: number;
  amount_max?: number;
  search?: string;
  source_type?: string;
  source_id?: string;
  has_document?: boolean;
};

/** Whether what was typed may be the number of an entry, which stands in no text of it. */
function isNumber(search: string): boolean {
  return /^\d{1,9}$/.test(search.trim());
}

const isOfPosted = (status: Journal['status']) => status === 'posted' || status === 'voided';

/** Entries with evidence, and those made from a record that has a file. */
const WITH_DOCUMENT = `accounting_journals.id IN (
  SELECT link.journal_id FROM accounting_document_links AS link WHERE link.organization_id = ?
   UNION ALL
  SELECT made.id FROM accounting_filed_sources AS filed
    JOIN accounting_journals AS made
      ON made.organization_id = filed.organization_id AND made.source_id = filed.source_id
   WHERE filed.organization_id = ?)`;

const WITHOUT_DOCUMENT = `NOT EXISTS (SELECT FROM accounting_document_links AS link
    WHERE link.organization_id = ? AND link.journal_id = accounting_journals.id)
  AND NOT EXISTS (SELECT FROM accounting_filed_sources AS filed
    WHERE filed.organization_id = ? AND filed.source_id = accounting_journals.source_id)`;

/** The query of the list. Errors: `unknown_reference`. */
export function journalList(reader: Reader, filters: JournalFilters, window: Window): ListQuery {
  const { status, kind, fiscal_year_id, date_from, date_to, amount_min, amount_max, search } = filters;
  const { account_id, company_id, tax_category, source_type, source_id } = filters;
  // Departments come with attendance: until then no ID is one.
  if (filters.department_id !== undefined) throw unknownParameter('department_id');
  const query = JournalModel.table(reader);
  if (status !== undefined) {
    query.whereIn('status', [...status]);
    // What is not posted is little beside what is, and has an index of its own.
    if (!status.some(isOfPosted)) query.whereNull('posted_at');
  }
  if (kind !== undefined) query.where({ kind });
  if (fiscal_year_id !== undefined) query.where({ fiscal_year_id });
  if (date_from !== undefined) query.where('date', '>=', date_from);
  if (date_to !== undefined) query.where('date', '<=', date_to);
  if (amount_min !== undefined) query.where('total', '>=', amount_min);
  if (amount_max !== undefined) query.where('total', '<=', amount_max);
  if (source_type !== undefined) query.where({ source_type });
  if (source_id !== undefined) query.where({ source_id });
  if (filters.has_document !== undefined) {
    const { organization_id } = reader;
    query.whereRaw(filters.has_document ? WITH_DOCUMENT : WITHOUT_DOCUMENT, [
      organization_id,
      organization_id,
    ]);
  }
  const asked: [condition: string, values: string[]][] = [];
  if (account_id !== undefined) asked.push(['line.account_id = ?', [account_id]]);
  if (tax_category !== undefined) asked.push(['line.tax_category = ?', [tax_category]]);
  if (company_id !== undefined) {
    // Lines keep the ID of a company that was merged into another one, and are the survivor's.
    const [ids, values] = companyIds(reader, company_id);
    asked.push([`line.company_id = ANY (${ids})`, values]);
  }
  if (asked.length > 0) {
    query.whereRaw(
      `accounting_journals.id IN (
         SELECT journal_id FROM accounting_lines AS line WHERE line.organization_id = ? AND ${asked.map(([condition]) => condition).join(' AND ')})`,
      [reader.organization_id, ...asked.flatMap(([, values]) => values)],
    );
  }
  const searched = search === undefined ? null : searchTerm(search, { phones: false });
  if (searched && isNumber(search!)) {
    const found = hasTerm('accounting_journals.search_grams', 'accounting_journals.search_text', searched);
    query.whereRaw(`(accounting_journals.number = ? OR (${found.text}))`, [
      Number(search),
      ...(found.values as string[]),
    ]);
  }
  return {
    query,
    table: JournalModel.tableName,
    columns: journalColumns,
    prefix: 'je',
    sorts: { date: 'date', number: { column: 'number', nullable: true }, total: 'total' },
    window,
    search: searched && !isNumber(search!) ? searched : null,
    is_filtered: isFiltered(filters),
    look_ups: { kind: journalKind, asked: filters },
  };
}

/** A window of the organization's entries. */
export async function journalPage(
  reader: Reader,
  filters: JournalFilters,
  window: Window,
): Promise<Page<Journal>> {
  const page = await pageOf<JournalRow>(reader, journalList(reader, filters, window));
  const ids = page.rows.map(({ id }) => id);
  const [lines, document_ids, context] = await Promise.all([
    linesOf(reader, ids),
    evidenceIdsOf(reader, ids),
    contextOf(reader),
  ]);
  const rows = page.rows.map((row) =>
    journalOf({ row, lines: lines(row.id), document_ids: document_ids(row.id) }, context),
  );
  return { ...page, rows };
}

/** A window of the steps of an entry's approvals, oldest first unless another order is asked for. Errors: `not_found`. */
export async function approvalPageOf(
  reader: Reader,
  journal_id: string,
  window: Window,
): Promise<Page<JournalApproval>> {
  const [found] = await reader.connection.query(
    'SELECT id FROM accounting_journals WHERE organization_id = $1 AND id = $2',
    [reader.organization_id, journal_id],
  );
  if (!found) throw notFound();
  const page = await pageOf<Omit<JournalApproval, 'object'>>(reader, {
    query: ApprovalModel.table(reader).where({ journal_id }),
    table: ApprovalModel.tableName,
    columns: ['id', 'journal_id', 'round', 'action', 'user_id', 'comment', 'created_at'],
    prefix: 'appr',
    // A step never changes.
    sorts: { updated_at: 'created_at' },
    window:
      window.sort.length > 0 ? window : { ...window, sort: [{ field: 'created_at', direction: 'asc' }] },
    is_filtered: false,
  });
  return {
    ...page,
    rows: page.rows.map(({ id, ...row }) => ({ id, object: 'accounting.approval', ...row })),
  };
}
