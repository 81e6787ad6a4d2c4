import type { Work } from '../../kernel/work.ts';
import { contextOf } from './context.ts';
import { createDocument } from './create.ts';

import type { WrittenKind } from './kinds.ts';
import type { DocumentLine, LineInput } from './line.ts';
import type { DocumentRecord } from './record.ts';
import { documentById } from './rows.ts';
import { type DocumentInput, writtenFields } from './shape.ts';

/** The body that would make the document again, without its number: what copies are made from. */
export function inputFrom(record: DocumentRecord): DocumentInput {
  const { kind, lines, transaction_from, transaction_to, ...fields } = record;
  const written = writtenFields(kind).flatMap((field) =>
    field === 'number' || field === 'transaction_period' ? [] : [[field, fields[field]]],
  );
  return {
    ...(Object.fromEntries(written) as Omit<DocumentInput, 'line_items'>),
    ...(transaction_from !== null &&
      transaction_to !== null && { transaction_period: { from: transaction_from, to: transaction_to } }),
    line_items: lines.map(lineInput),
  };
}

/** What of a line is sent. */
type SentOfLine = Omit<DocumentLine, 'id' | 'tax_rate' | 'amount' | 'source_line_id' | 'source_document_id'>;

/** A line as it would be sent. */
export function lineInput(line: SentOfLine): LineInput {
  const { type, description } = line;
  if (type === 'text') return { type, description };
  const { item_code, quantity, unit, unit_price, tax_category, withholding } = line;
  return { type, description, item_code, quantity, unit, unit_price, tax_category, withholding };
}

/**
 * Makes a copy of a document as a draft of today, in any status of the original; its dates and number are as if it
 * was made by hand. Errors: `not_found`, those of making one.
 */
export async function duplicateDocument(work: Work, kind: WrittenKind, id: string): Promise<DocumentRecord> {
  const original = await documentById(work, kind, id);
  const { transaction_date, transaction_period, due_date, delivery_date, ...copied } = inputFrom(original);
  const { today } = await contextOf(work);
  return createDocument(work, kind, { ...copied, issue_date: today });
}
