import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { contextOf, type DocumentContext } from '../documents/context.ts';
import { type DocumentFilters, documentPage } from '../documents/queries.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { documentById, type LineRow, lineColumns, lineOf } from '../documents/rows.ts';
import type { Document } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { invoiceHead } from '../payments/rows.ts';
import type { PlacedLine } from './open-lines.ts';

/** The lines of all credit notes of an invoice, oldest first. */
export async function creditedLines(reader: Reader, invoice_id: string): Promise<PlacedLine[]> {
  const rows = await reader.connection.query<LineRow>(
    `SELECT ${lineColumns.map((column) => `line.${column}`).join(', ')}
       FROM invoicing_documents AS note
       JOIN invoicing_lines AS line ON line.organization_id = note.organization_id AND line.document_id = note.id
      WHERE note.organization_id = $1 AND note.invoice_id = $2
      ORDER BY line.document_id, line.position`,
    [reader.organization_id, invoice_id],
  );
  return rows.map((row) => ({ ...lineOf(row), document_id: row.document_id }));
}

/** A credit note as the API shows it: it always names its invoice and why. */
export type ShownCreditNote = Document & { invoice_id: string; reason: string };

type Summary = Omit<ShownCreditNote, 'line_items'>;

/** A credit note's record as the API shows it. */
export function creditNoteOf(record: DocumentRecord, context: DocumentContext): ShownCreditNote {
  return documentOf(record, context) as ShownCreditNote;
}

/** One credit note. Errors: `not_found`. */
export async function creditNoteById(reader: Reader, id: string): Promise<ShownCreditNote> {
  const record = await documentById(reader, 'credit_note', id);
  return creditNoteOf(record, await contextOf(reader));
}

/** A window of the credit notes that the filters leave, without their lines. */
export async function creditNotePage(
  reader: Reader,
  filters: DocumentFilters,
  window: Window,
): Promise<Page<Summary>> {
  return (await documentPage(reader, 'credit_note', filters, window)) as Page<Summary>;
}

/** A window of the credit notes of an invoice that the filters leave, without their lines. Errors: `not_found`. */
export async function creditNotePageOf(
  reader: Reader,
  invoice_id: string,
  filters: DocumentFilters,
  window: Window,
): Promise<Page<Summary>> {
  await invoiceHead(reader, invoice_id);
  return creditNotePage(reader, { ...filters, invoice_id }, window);
}
