import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Row } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import type { CategoryTax } from '../tax/breakdown.ts';
import { contextOf } from './context.ts';
import type { DocumentKind } from './kinds.ts';
import type { DocumentLine } from './line.ts';
import type { DocumentRecord } from './record.ts';
import {
  type BesideRow,
  besideColumns,
  besideJoins,
  type Related,
  relatedIn,
  relatedOf,
  statementsOf,
} from './related.ts';

/** The columns that hold amounts in yen. */
const amounts = [
  'subtotal',
  'tax',
  'total',
  'withholding_tax',
  'amount_due',
  'amount_paid',
  'credited',
  'balance',
] as const;

/** The columns of what happens to a document after its making, and of what it follows from; null at first. */
export const historyColumns = [
  'sent_at',
  'approved_at',
  'approved_by',
  'accepted_at',
  'rejected_at',
  'reject_reason',
  'delivered_at',
  'paid_on',
  'paid_at',
  'cancelled_at',
  'cancel_reason',
  'revises_id',
  'invoice_id',
  'reason',
] as const;

export const documentColumns = [
  'id',
  'kind',
  'number',
  'status',
  'company_id',
  'contact_id',
  'honorific',
  'company_snapshot',
  'subject',
  'issue_date',
  'transaction_date',
  'transaction_from',
  'transaction_to',
  'due_date',
  'issuer_name',
  'issuer_detail',
  'issuer_registration_number',
  'bank_account',
  'memo',
  'internal_memo',
  'delivery_date',
  'delivery_place',
  'payment_terms_text',
  'show_prices',
  'tax_display_mode',
  'tax_rounding',
  'withholding_mode',
  'currency',
  'external_id',
  'metadata',
  ...amounts,
  'tax_breakdown',
  ...historyColumns,
  'created_by',
  'created_at',
  'updated_at',
] as const;

type Amount = (typeof amounts)[number];

/** A row of the table; amounts are numbers, exact since they have twelve digits. */
export type DocumentRow = Pick<
  DocumentRecord,
  Exclude<(typeof documentColumns)[number], Amount | 'tax_breakdown'>
> &
  Record<Amount, number> & {
    tax_breakdown: (Omit<CategoryTax, 'net' | 'tax' | 'gross'> & Record<'net' | 'tax' | 'gross', number>)[];
  };

/** A row of the lines' table. */
export type LineRow = Omit<DocumentLine, 'amount'> & { document_id: string; amount: number | null };

/** A row with its lines and what other tables hold of it, as a record. */
export function recordOf(row: DocumentRow, lines: DocumentLine[], related: Related): DocumentRecord {
  return {
    ...row,
    subtotal: BigInt(row.subtotal),
    tax: BigInt(row.tax),
    total: BigInt(row.total),
    withholding_tax: BigInt(row.withholding_tax),
    amount_due: BigInt(row.amount_due),
    amount_paid: BigInt(row.amount_paid),
    credited: BigInt(row.credited),
    balance: BigInt(row.balance),
    tax_breakdown: row.tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => ({
      tax_category,
      tax_rate,
      net: BigInt(net),
      tax: BigInt(tax),
      gross: BigInt(gross),
    })),
    lines,
    source: related.source,
    converted_to: related.converted_to,
    has_open_quantity: related.has_open_quantity,
    open_revision_id: related.open_revision_id,
    replaced_has: related.replaced_has,
    email: related.email,
    pdf: related.pdf,
  };
}

/** The columns that hold a document, without its search. */
export function columnsOf(record: DocumentRecord): Row {
  const row: Row = Object.fromEntries(documentColumns.map((column) => [column, record[column]]));
  for (const name of amounts) row[name] = String(record[name]);
  row['tax_breakdown'] = record.tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => ({
    tax_category,
    tax_rate,
    net: Number(net),
    tax: Number(tax),
    gross: Number(gross),
  }));
  return row;
}

/** What a document is found by: its number and its subject. */
export function searchedBy({ number, subject }: { number: string | null; subject: string | null }): Row {
  const search_text = searchText([number, subject]);
  return { search_text, search_grams: gramsOf(search_text) };
}

/** The rows of a document's lines. */
export function lineRowsOf({ id, lines }: { id: string; lines: readonly DocumentLine[] }): Row[] {
  return lines.map(({ amount, ...line }, index) => ({
    document_id: id,
    position: index + 1,
    ...line,
    amount: amount === null ? null : String(amount),
  }));
}

export const lineColumns = [
  'document_id',
  'id',
  'type',
  'description',
  'item_code',
  'quantity',
  'unit',
  'unit_price',
  'tax_category',
  'tax_rate',
  'withholding',
  'amount',
  'source_line_id',
  'source_document_id',
];

/** The lines of documents, in order. */
export async function linesOf(
  reader: Reader,
  ids: readonly string[],
): Promise<(id: string) => DocumentLine[]> {
  if (ids.length === 0) return () => [];
  const rows = await reader.connection.query<LineRow>(
    `SELECT ${lineColumns.join(', ')} FROM invoicing_lines
      WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, position`,
    [reader.organization_id, ids],
  );
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id);
  return (id) => (byDocument.get(id) ?? []).map(lineOf);
}

/** A row of the lines' table as the service works with it. */
export function lineOf({ document_id, amount, ...line }: LineRow): DocumentLine {
  return { ...line, amount: amount === null ? null : BigInt(amount) };
}

const WHOLE = statementsOf(
  (kind) => `SELECT ${documentColumns.map((column) => `asked.${column}`).join(', ')}, ${besideColumns(kind)}
    FROM invoicing_documents AS asked ${besideJoins(kind)}
   WHERE asked.organization_id = $1 AND asked.kind = '${kind}' AND asked.id = ${oneOf('$2')}`,
);

/**
 * Documents by ID, without their lines: each row and what stands beside it are of the same moment, so a mail that is
 * told as sent is never beside an invoice that is not yet.
 */
export async function documentsById(
  { connection, organization_id }: Reader,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<Map<string, DocumentRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<DocumentRow & BesideRow>(WHOLE[kind], [organization_id, ids]);
  return new Map(rows.map((row) => [row.id, recordOf(row, [], relatedIn(row))]));
}

const BY_IDS = `SELECT ${documentColumns.join(', ')} FROM invoicing_documents
  WHERE organization_id = $1 AND kind = $2 AND id = ${oneOf('$3')} ORDER BY id`;

/**
 * One document. Its lines are read after it: so ones that were just replaced come with an ETag that is past.
 * Errors: `not_found`.
 */
export async function documentById(reader: Reader, kind: DocumentKind, id: string): Promise<DocumentRecord> {
  const [documents, lines] = await Promise.all([
    documentsById(reader, kind, [id]),
    linesOf(reader, [id]),
    contextOf(reader),
  ]);
  const document = documents.get(id);
  if (!document) throw notFound();
  return { ...document, lines: lines(id) };
}

/**
 * A document, its row locked until the work commits; the rest is read once the lock is held. Errors: `not_found`.
 */
export async function lockDocument(reader: Reader, kind: DocumentKind, id: string): Promise<DocumentRecord> {
  const [record] = await lockDocuments(reader, kind, [id]);
  if (!record) throw notFound();
  return record;
}

/**
 * Documents in the order of their IDs, which is the order in which they are locked; missing ones are left out. The
 * context is read on the same trip, for what shows or writes the documents.
 */
export async function lockDocuments(
  reader: Reader,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<DocumentRecord[]> {
  const [rows, lines, related] = await Promise.all([
    reader.connection.query<DocumentRow>(`${BY_IDS} FOR NO KEY UPDATE`, [reader.organization_id, kind, ids]),
    linesOf(reader, ids),
    relatedOf(reader, kind, ids),
    contextOf(reader),
  ]);
  return rows.map((row) => recordOf(row, lines(row.id), related(row.id)));
}
