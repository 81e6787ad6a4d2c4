import { oneOf } from '../../db/one-of.ts';
import { daysBetween } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Row } from '../../kernel/statement.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { retentionUntil, yearsKept } from '../documents/retention.ts';
import { categoryWarnings } from '../tax/warnings.ts';
import type { Context } from './context.ts';
import type { KindGroup } from './kinds.ts';
import type { Journal, JournalLine } from './record.ts';
import { actionsFor, type Standing } from './transitions.ts';

export const journalColumns = [
  'id',
  'fiscal_year_id',
  'number',
  'date',
  'description',
  'kind',
  'kind_group',
  'status',
  'reference',
  'external_id',
  'metadata',
  'source_type',
  'source_id',
  'reverses',
  'reversed_by',
  'total',
  'line_count',
  'round',
  'approver_ids',
  'void_reason',
  'created_by',
  'edited_by',
  'submitted_by',
  'submitted_at',
  'approved_by',
  'approved_at',
  'posted_by',
  'posted_at',
  'posted_on',
  'voided_by',
  'voided_at',
  'created_at',
  'updated_at',
] as const;

type Shown = 'description' | 'reference' | 'external_id' | 'void_reason';

/** An entry as it is kept. */
export type JournalRow = Pick<
  Journal,
  Shown | 'id' | 'fiscal_year_id' | 'number' | 'date' | 'kind' | 'status'
> &
  Pick<Journal, 'metadata' | 'reverses' | 'reversed_by' | 'total' | 'round' | 'created_at' | 'updated_at'> &
  Pick<Journal, 'created_by' | 'submitted_by' | 'submitted_at' | 'approved_by' | 'approved_at'> &
  Pick<Journal, 'posted_by' | 'posted_at' | 'voided_by' | 'voided_at'> & {
    kind_group: KindGroup;
    source_type: NonNullable<Journal['source']>['type'] | null;
    source_id: string | null;
    line_count: number;
    approver_ids: string[] | null;
    edited_by: string | null;
    posted_on: string | null;
  };

/** A line with what its account is called, as entries are read and written. */
export type LineRow = Omit<JournalLine, 'is_tax'>;

/** An entry with its lines, as operations hold it. */
export type Entry = {
  row: JournalRow;
  lines: readonly LineRow[];
  /** The evidence of an entry that is kept already. */
  document_ids?: readonly string[];
};

const LINES = `
  SELECT line.journal_id, line.id, line.line, line.account_id, account.code AS account_code,
         account.name AS account_name, line.debit, line.credit, line.tax_category, line.company_id,
         line.department_id, line.description
    FROM accounting_lines AS line
    JOIN accounting_accounts AS account
      ON account.organization_id = line.organization_id AND account.id = line.account_id
   WHERE line.organization_id = $1 AND line.journal_id = ${oneOf('$2')}
   ORDER BY line.journal_id, line.line`;

/** The lines of entries, by the entry, in their order. */
export async function linesOf(
  reader: Reader,
  journal_ids: readonly string[],
): Promise<(journal_id: string) => LineRow[]> {
  if (journal_ids.length === 0) return () => [];
  const rows = await reader.connection.query<LineRow & { journal_id: string }>(LINES, [
    reader.organization_id,
    journal_ids,
  ]);
  const by_journal = Map.groupBy(rows, ({ journal_id }) => journal_id);
  return (id) => (by_journal.get(id) ?? []).map(({ journal_id, ...line }) => line);
}

/** The evidence of entries, by the entry. */
export async function evidenceIdsOf(
  { connection, organization_id }: Reader,
  journal_ids: readonly string[],
): Promise<(journal_id: string) => string[]> {
  if (journal_ids.length === 0) return () => [];
  const rows = await connection.query<{ journal_id: string; document_id: string }>(
    `SELECT journal_id, document_id FROM accounting_document_links
      WHERE organization_id = $1 AND journal_id = ${oneOf('$2')} ORDER BY journal_id, document_id`,
    [organization_id, journal_ids],
  );
  const by_journal = Map.groupBy(rows, ({ journal_id }) => journal_id);
  return (id) => (by_journal.get(id) ?? []).map(({ document_id }) => document_id);
}

/** What decides what can be done to an entry. */
export function standingOf(row: JournalRow): Standing {
  const { status, reverses, created_by, edited_by, submitted_by, approver_ids } = row;
  return {
    kind: 'journal',
    status,
    journal_kind: row.kind,
    reverses,
    created_by,
    edited_by,
    submitted_by,
    approver_ids: approver_ids ?? [],
  };
}

/** An entry as the API shows it to who asks. */
export function journalOf({ row, lines, document_ids = [] }: Entry, context: Context): Journal {
  const { settings, asking, years, retention } = context;
  const { input_tax, output_tax } = settings.account_map;
  const { source_type, source_id, posted_on, date } = row;
  return {
    id: row.id,
    object: 'accounting.journal',
    number: row.number,
    fiscal_year_id: row.fiscal_year_id,
    date,
    description: row.description,
    kind: row.kind,
    status: row.status,
    reference: row.reference,
    external_id: row.external_id,
    metadata: row.metadata,
    source: source_type === null ? null : { type: source_type, id: source_id! },
    reverses: row.reverses,
    reversed_by: row.reversed_by,
    lines: lines.map(({ description, company_id, department_id, ...line }) => ({
      ...line,
      is_tax: line.account_id === input_tax || line.account_id === output_tax,
      company_id,
      department_id,
      description,
    })),
    document_ids: [...document_ids],
    total: row.total,
    round: row.round,
    retention_until: retentionUntil(years, date, yearsKept(retention, row.created_at)),
    days_late: posted_on === null ? null : daysBetween(date, posted_on),
    warnings: categoryWarnings(lines, date).map(({ message, ...warning }) => ({
      ...warning,
      message: message.en,
    })),
    available_actions: actionsFor(standingOf(row), asking),
    void_reason: row.void_reason,
    created_by: row.created_by,
    submitted_by: row.submitted_by,
    submitted_at: row.submitted_at,
    approved_by: row.approved_by,
    approved_at: row.approved_at,
    posted_by: row.posted_by,
    posted_at: row.posted_at,
    voided_by: row.voided_by,
    voided_at: row.voided_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The columns that hold an entry. */
export function columnsOfJournal(row: JournalRow): Row {
  const search_text = searchText([row.description, row.reference]);
  return { ...row, search_text, search_grams: gramsOf(search_text) };
}

/** The columns that hold the lines of an entry; those of the ledger are the entry's. */
export function columnsOfLines({ row, lines }: Entry): Row[] {
  const { id: journal_id, date, number, kind_group } = row;
  return lines.map(({ account_code, account_name, ...line }) => {
    return { ...line, journal_id, date, number, kind_group };
  });
}
