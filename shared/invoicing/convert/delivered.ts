import Big from 'big.js';
import { Failure, type FieldError, invalidAll, unknownReference } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { DocumentLine } from '../documents/line.ts';
import type { DocumentRecord } from '../documents/record.ts';

/** A delivery note as its conversion needs it. */
type Note = Pick<
  DocumentRecord,
  | 'id'
  | 'delivery_date'
  | 'transaction_date'
  | 'transaction_from'
  | 'transaction_to'
  | 'tax_display_mode'
  | 'tax_rounding'
  | 'withholding_mode'
  | 'lines'
>;

/** Part of what was delivered, as it is asked for; without a quantity it is all that is open. */
export type AskedLine = { source_line_id: string; quantity?: string | null };

/** A line of a new document, and where it comes from. */
export type SourcedLine = { line: DocumentLine; document_id: string };

/** By the ID of a line, the quantities that living documents took of it, as exact decimal text. */
export type Taken = ReadonlyMap<string, string>;

/** What of a line can still be invoiced, with the sign of its quantity; nothing once as much or more was taken. */
export function openQuantity(line: Pick<DocumentLine, 'id' | 'type' | 'quantity'>, taken: Taken): Big {
  if (line.type === 'text') return new Big(0);
  const whole = new Big(line.quantity ?? 0);
  const open = whole.minus(taken.get(line.id) ?? 0);
  return open.times(whole).lte(0) ? new Big(0) : open;
}

/** Whether anything of a note can still be invoiced. */
export function hasOpenQuantity(note: Pick<Note, 'lines'>, taken: Taken): boolean {
  return note.lines.some((line) => !openQuantity(line, taken).eq(0));
}

/**
 * The lines of an invoice of these notes, in their order: what is open of each, and the texts between; or the part
 * that is asked for. Errors: `unknown_reference` and `validation_failed` at /lines/<n>.
 */
export function linesToInvoice(
  notes: readonly Note[],
  taken: Taken,
  asked: readonly AskedLine[] | undefined,
): SourcedLine[] {
  if (asked) requireOpen(notes, taken, asked);
  const wanted = asked && new Map(asked.map((one) => [one.source_line_id, one]));
  return notes.flatMap(({ id: document_id, lines }) =>
    lines.flatMap((line): SourcedLine[] => {
      if (line.type === 'text') return wanted ? [] : [{ line, document_id }];
      const open = openQuantity(line, taken);
      const part = wanted?.get(line.id);
      if (wanted ? !part : open.eq(0)) return [];
      const quantity = part?.quantity ?? open.toFixed();
      return [{ line: { ...line, quantity }, document_id }];
    }),
  );
}

function requireOpen(notes: readonly Note[], taken: Taken, asked: readonly AskedLine[]): void {
  const lines = new Map(notes.flatMap((note) => note.lines.map((line) => [line.id, line])));
  const lost = asked.findIndex(({ source_line_id }) => !lines.has(source_line_id));
  if (lost >= 0) throw unknownReference(`/lines/${lost}/source_line_id`, asked[lost]!.source_line_id);
  const faults = asked.flatMap(({ source_line_id, quantity }, place): FieldError[] => {
    const line = lines.get(source_line_id)!;
    const fault = (path: string, code: string, message: Text): FieldError[] => [
      { in: 'body', path: `/lines/${place}/${path}`, code, message },
    ];
    if (asked.findIndex((one) => one.source_line_id === source_line_id) < place) {
      return fault('source_line_id', 'duplicate', {
        en: `lines.${place} names a line again`,
        ja: `lines.${place} の明細が重複しています`,
      });
    }
    if (line.type === 'text') {
      return fault('source_line_id', 'text_line', {
        en: `${source_line_id} is a text and has no quantity`,
        ja: `${source_line_id} は文章の明細で、数量がありません`,
      });
    }
    const open = openQuantity(line, taken);
    const part = new Big(quantity ?? open);
    const isWithin = part.times(open).gt(0) && part.abs().lte(open.abs());
    if (isWithin) return [];
    return fault('quantity', 'exceeds_open', {
      en: `Of ${source_line_id} ${open.toFixed()} can still be invoiced`,
      ja: `${source_line_id} のうち、まだ請求できる数量は ${open.toFixed()} です`,
    });
  });
  if (faults.length > 0) throw invalidAll(faults);
}

const MODES = ['tax_display_mode', 'tax_rounding', 'withholding_mode'] as const;

/** Notes go together only where the tax is found alike. Errors: `modes_differ`. */
export function requireSameModes(notes: readonly Note[]): void {
  const [first] = notes;
  const differing = MODES.filter((mode) => notes.some((note) => note[mode] !== first![mode]));
  if (differing.length === 0) return;
  const errors = differing.map((mode): FieldError => {
    const values = [...new Set(notes.map((note) => note[mode]))].join(', ');
    return {
      in: 'body',
      path: '/delivery_note_ids',
      code: 'modes_differ',
      message: {
        en: `The delivery notes differ in ${mode}: ${values}`,
        ja: `納品書の ${mode} が異なります：${values}`,
      },
    };
  });
  throw new Failure('modes_differ', { detail: errors[0]!.message, errors });
}

/** The day, or the first and last day, of the deliveries: of a note without a delivery date those that it names. */
export function transactionOf(
  notes: readonly Note[],
): { transaction_date: string } | { transaction_period: { from: string; to: string } } {
  const days = notes
    .flatMap((note) =>
      note.delivery_date
        ? [note.delivery_date]
        : [note.transaction_date, note.transaction_from, note.transaction_to],
    )
    .filter((day) => day !== null)
    .sort();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  return from === to ? { transaction_date: from } : { transaction_period: { from, to } };
}
