import Big from 'big.js';
import { z } from 'zod';
import { LineInput } from '../../invoicing/documents/line.ts';
import { MOST_LINES } from '../../invoicing/documents/shape.ts';
import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import { id, text } from '../../kernel/schema.ts';
import type { StoredLine } from '../documents/line.ts';

/** What of a line of a delivery note is accepted, and why not all of it. */
export const AcceptedLine = z
  .strictObject({
    id: id('li').describe('A line of the delivery note.'),
    accepted_quantity: LineInput.shape.quantity.describe(
      "From 0 to the line's quantity; all of it unless said.",
    ),
    reason: text(1_000)
      .nullable()
      .optional()
      .meta({ examples: ['2袋が破損'] }),
  })
  .meta({ id: 'AcceptedLine' });

/** The lines of a body that confirms a delivery note. */
export const AcceptedLines = z
  .array(AcceptedLine)
  .max(MOST_LINES)
  .describe('Lines that were not accepted as they stand; of the others all is.');

export type AcceptedLine = z.output<typeof AcceptedLine>;

/**
 * The lines of a delivery note with what is accepted of each: all of it unless said. Errors: `validation_failed`, for a
 * line that is named twice or is a text, and for a quantity that is not from 0 to the line's; `unknown_reference` within it
 * for a line of another document.
 */
export function acceptedLines(lines: readonly StoredLine[], said: readonly AcceptedLine[]): StoredLine[] {
  const faults = said.flatMap((one, place) => faultOf(one, place, lines, said) ?? []);
  if (faults.length > 0) throw invalidAll(faults);
  const byId = new Map(said.map((one) => [one.id, one]));
  return lines.map((line) => {
    const { accepted_quantity, reason = null } = byId.get(line.id) ?? {};
    return { ...line, accepted_quantity: accepted_quantity ?? line.quantity, reject_reason: reason };
  });
}

function faultOf(
  { id, accepted_quantity }: AcceptedLine,
  place: number,
  lines: readonly StoredLine[],
  said: readonly AcceptedLine[],
): FieldError | null {
  const line = lines.find((one) => one.id === id);
  if (!line) {
    const message = { en: 'is no line of this delivery note', ja: 'はこの納品書の明細ではありません' };
    return fault(place, 'id', 'unknown_reference', message);
  }
  if (said.findIndex((one) => one.id === id) < place)
    return fault(place, 'id', 'duplicate', { en: 'names a line again', ja: 'の明細が重複しています' });
  if (line.quantity === null)
    return fault(place, 'id', 'not_of_text', { en: 'is a text line', ja: 'は文章の明細です' });
  if ((accepted_quantity ?? null) === null || isWithin(accepted_quantity!, line.quantity)) return null;
  const message = {
    en: `must be from 0 to ${line.quantity}, the quantity of the line`,
    ja: `は0から明細の数量 ${line.quantity} までの範囲で指定してください`,
  };
  return fault(place, 'accepted_quantity', 'out_of_range', message);
}

/** A line of goods that go back has a quantity below 0. */
function isWithin(accepted: string, quantity: string): boolean {
  const [one, all] = [new Big(accepted), new Big(quantity)];
  return all.gte(0) ? one.gte(0) && one.lte(all) : one.lte(0) && one.gte(all);
}

function fault(place: number, field: string, code: string, predicate: Text): FieldError {
  return {
    in: 'body',
    path: `/lines/${place}/${field}`,
    code,
    message: joined([sameText(`lines.${place}.${field}`), predicate], ' '),
  };
}
