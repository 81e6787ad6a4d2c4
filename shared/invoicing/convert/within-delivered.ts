import Big from 'big.js';
import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { TAKES } from '../documents/related.ts';

/** An invoice, as what it takes of delivery notes follows from it. */
type Taking = Pick<DocumentRecord, 'id' | 'revises_id' | 'lines'>;

const NOTES = `
  SELECT id FROM invoicing_documents
   WHERE organization_id = $1 AND kind = 'delivery_note' AND id IN (
     SELECT source_document_id FROM invoicing_lines WHERE organization_id = $1 AND document_id = $2)
   ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks the delivery notes that an invoice was made of, so that what is open of them stays so until the work commits.
 * It comes before the lock of the invoice: conversions lock in that order too.
 */
export async function lockNotesOf(work: Work, invoice_id: string): Promise<void> {
  await work.connection.query(NOTES, [work.organization_id, invoice_id]);
}

// A revision takes the place of what it replaces, so that one does not count beside it.
const LEFT = `
  SELECT delivered.id, delivered.quantity::text AS whole, (delivered.quantity - coalesce((
      SELECT sum(line.quantity) FROM invoicing_lines AS line
        JOIN invoicing_documents AS document
          ON document.organization_id = $1 AND document.id = line.document_id AND ${TAKES}
       WHERE line.organization_id = $1 AND line.source_line_id = delivered.id
         AND document.id <> $3 AND document.id IS DISTINCT FROM $4), 0))::text AS rest
    FROM invoicing_lines AS delivered
    JOIN invoicing_documents AS note
      ON note.organization_id = $1 AND note.id = delivered.document_id AND note.kind = 'delivery_note'
   WHERE delivered.organization_id = $1 AND delivered.id = ANY ($2)`;

/**
 * Sees that an invoice takes no more of delivery notes than was delivered and no other invoice took; the notes are
 * locked. Errors: `validation_failed` with `exceeds_open` at /line_items/n/quantity, which says how much is open.
 */
export async function requireWithinDelivered(work: Work, { id, revises_id, lines }: Taking): Promise<void> {
  const sources = lines.flatMap(({ source_line_id }) => source_line_id ?? []);
  if (sources.length === 0) return;
  const found = await work.connection.query<{ id: string; whole: string; rest: string }>(LEFT, [
    work.organization_id,
    sources,
    id,
    revises_id,
  ]);
  const left = new Map(found.map((row) => [row.id, row]));
  const faults = lines.flatMap(({ source_line_id, quantity }, place): FieldError[] => {
    const delivered = left.get(source_line_id ?? '');
    if (!delivered || isWithin(quantity ?? '0', delivered)) return [];
    const open = openOf(delivered).toFixed();
    const message = {
      en: `Of ${source_line_id} ${open} can be invoiced here; sell more on a line of its own`,
      ja: `${source_line_id} のうち、ここで請求できるのは ${open} までです。超える分は別の明細にしてください`,
    };
    return [{ in: 'body', path: `/line_items/${place}/quantity`, code: 'exceeds_open', message }];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

/** What is left has the sign of what was delivered; where others took as much or more it is nothing. */
function openOf({ whole, rest }: { whole: string; rest: string }): Big {
  return new Big(whole).times(rest).gt(0) ? new Big(rest) : new Big(0);
}

function isWithin(quantity: string, delivered: { whole: string; rest: string }): boolean {
  const taken = new Big(quantity);
  return taken.times(delivered.whole).gte(0) && taken.abs().lte(openOf(delivered).abs());
}
