import { type FieldError, invalid, invalidAll, unknownReference } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { TAKES } from '../documents/related.ts';
import { lockDocuments } from '../documents/rows.ts';
import { MOST_LINES } from '../documents/shape.ts';
import { lockFor, requireAction } from '../transitions/lock-for.ts';
import { linesToInvoice, requireSameModes, type Taken, transactionOf } from './delivered.ts';
import { makeInvoice } from './invoice.ts';
import type { DeliveryNoteConversion, Override } from './record.ts';

/**
 * Makes the draft invoice of an accepted quotation, once. Errors: those of the table of transitions, and of making a
 * document.
 */
export async function convertQuotation(work: Work, id: string, override: Override): Promise<DocumentRecord> {
  const quotation = await lockFor(work, 'quotation', id, 'convert');
  const lines = quotation.lines.map((line) => ({ line, document_id: id }));
  return makeInvoice(work, [quotation], lines, { dates: {}, override });
}

/**
 * Makes one draft invoice of what is open of delivery notes, or of a part of it. The notes are locked in the order of
 * their IDs, so that what is open stays so until the work commits. Errors: those of the table of transitions,
 * `unknown_reference`, `validation_failed`, `modes_differ`, and those of making a document.
 */
export async function convertDeliveryNotes(
  work: Work,
  id: string,
  { delivery_note_ids = [], lines: asked, ...override }: DeliveryNoteConversion,
): Promise<DocumentRecord> {
  const notes = await lockNotes(work, id, delivery_note_ids);
  requireOneCompany(notes, delivery_note_ids);
  requireSameModes(notes);
  const lines = linesToInvoice(notes, await takenOf(work, notes), asked);
  if (lines.length > MOST_LINES) {
    const message = {
      en: `The invoice would have ${lines.length} lines; it may have ${MOST_LINES}`,
      ja: `請求書の明細が${lines.length}行になります。上限は${MOST_LINES}行です`,
    };
    throw invalid(asked ? '/lines' : '/delivery_note_ids', 'too_many_lines', message);
  }
  const used = notes.filter((note) => lines.some(({ document_id }) => document_id === note.id));
  return makeInvoice(work, used, lines, { dates: transactionOf(used), override });
}

/** The note of the path and those of the body, in the order in which their lines come. */
async function lockNotes(work: Work, id: string, others: readonly string[]): Promise<DocumentRecord[]> {
  const faults = others.flatMap((other, place): FieldError[] =>
    others.indexOf(other) === place
      ? []
      : [fault(place, 'duplicate', { en: 'names a delivery note again', ja: 'の納品書が重複しています' })],
  );
  if (faults.length > 0) throw invalidAll(faults);
  const ids = others.includes(id) ? others : [id, ...others];
  if (ids.length === 1) return [await lockFor(work, 'delivery_note', id, 'convert')];
  const found = new Map((await lockDocuments(work, 'delivery_note', ids)).map((note) => [note.id, note]));
  const own = found.get(id);
  if (!own) return [await lockFor(work, 'delivery_note', id, 'convert')];
  work.precondition(own);
  const lost = others.findIndex((other) => !found.has(other));
  if (lost >= 0) throw unknownReference(`/delivery_note_ids/${lost}`, others[lost]!);
  const notes = ids.map((one) => found.get(one)!);
  for (const note of notes) await requireAction(work, note, 'convert');
  return notes;
}

function requireOneCompany(notes: readonly DocumentRecord[], ids: readonly string[]): void {
  const [first] = notes;
  const faults = ids.flatMap((id, place): FieldError[] => {
    const note = notes.find((one) => one.id === id);
    if (note?.company_id === first!.company_id) return [];
    return [
      fault(place, 'other_company', { en: 'is made out to another company', ja: 'は別の取引先宛てです' }),
    ];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

function fault(place: number, code: string, predicate: Text): FieldError {
  const path = `/delivery_note_ids/${place}`;
  return {
    in: 'body',
    path,
    code,
    message: joined([sameText(`delivery_note_ids.${place}`), predicate], ' '),
  };
}

const TAKEN = `
  SELECT line.source_line_id AS id, sum(line.quantity)::text AS quantity
    FROM invoicing_lines AS line
    JOIN invoicing_documents AS document
      ON document.organization_id = line.organization_id AND document.id = line.document_id
   WHERE line.organization_id = $1 AND line.source_line_id = ANY ($2) AND ${TAKES}
   GROUP BY line.source_line_id`;

/** What living documents took of the lines of locked notes. */
async function takenOf(work: Work, notes: readonly DocumentRecord[]): Promise<Taken> {
  const ids = notes.flatMap(({ lines }) => lines.map(({ id }) => id));
  const rows = await work.connection.query<{ id: string; quantity: string }>(TAKEN, [
    work.organization_id,
    ids,
  ]);
  return new Map(rows.map(({ id, quantity }) => [id, quantity]));
}
