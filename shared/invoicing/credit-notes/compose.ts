import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { lineAmount, partAmount } from '../tax/line-amount.ts';
import { type OpenLine, openAfter, openLines, type PlacedLine } from './open-lines.ts';
import type { CreditLineInput } from './record.ts';

/** The lines of a credit note, without IDs; `faults` say what cannot be credited. */
export type Composed = { lines: CreditLine[]; faults: FieldError[] };

/** A line that is about to be made; `source_line_id` is the line that it takes back, if it names one. */
export type CreditLine = Omit<PlacedLine, 'id' | 'document_id'>;

/**
 * The lines of the next credit note of an invoice with these lines, of which `credited` were taken back so far: all
 * that is left, or what is asked for. A part of a line has what it adds to the amount of all that was taken of the
 * line. A line of its own (a price reduction) takes the rate that its category has on the invoice, and unless said the
 * invoice's only category, and that of its lines where withholding agrees.
 */
export function composeCredit(
  invoice: readonly PlacedLine[],
  credited: readonly PlacedLine[],
  asked: readonly CreditLineInput[] | null,
): Composed {
  const open = openLines(invoice, credited);
  if (asked === null) return { lines: open.map((one) => taking(one, one.open)), faults: [] };
  const left = new Map(open.map((one) => [one.line.id, one]));
  const known = new Set([...invoice, ...credited].map(({ id }) => id));
  const composed: Composed = { lines: [], faults: [] };
  for (const [place, wish] of asked.entries()) {
    const { source_line_id } = wish;
    const line =
      source_line_id === undefined
        ? standingAlone(invoice, wish)
        : takenOf(source_line_id, wish, { left, known });
    if ('code' in line) composed.faults.push(faultAt(place, line));
    else composed.lines.push(line);
  }
  return composed;
}

type Refusal = { field: string; code: string; message: Text };

function faultAt(place: number, { field, code, message }: Refusal): FieldError {
  return { in: 'body', path: `/line_items/${place}/${field}`, code, message };
}

type Open = { left: Map<string, OpenLine>; known: ReadonlySet<string> };

/** A part of a line, which is then left without it; or why it cannot be taken. */
function takenOf(id: string, wish: CreditLineInput, { left, known }: Open): CreditLine | Refusal {
  const refuse = (field: string, code: string, message: Text) => ({ field, code, message });
  const one = left.get(id);
  if (!known.has(id))
    return refuse('source_line_id', 'unknown_reference', {
      en: `${id} is no line of the invoice`,
      ja: `${id} は請求書の明細ではありません`,
    });
  if (!one)
    return refuse('source_line_id', 'over_credit', {
      en: `${id} is credited whole already`,
      ja: `${id} は全額を返還済みです`,
    });
  if (one.line.type === 'text') {
    if (wish.quantity)
      return refuse('quantity', 'not_of_text', {
        en: 'A text line has no quantity',
        ja: '文章の明細に数量は指定できません',
      });
    return { ...taking(one, one.open), ...ownTexts(wish) };
  }
  const quantity = wish.quantity ?? one.open;
  const after = openAfter(one, quantity);
  if (!after)
    return refuse('quantity', 'over_credit', {
      en: `${one.open} of the line are left to credit`,
      ja: `この明細で返還できる残りの数量は ${one.open} です`,
    });
  left.set(id, after);
  return { ...taking(one, quantity), ...ownTexts(wish) };
}

function taking({ line, taken }: OpenLine, quantity: string): CreditLine {
  const { id, document_id, ...rest } = line;
  const source = { source_line_id: id, source_document_id: document_id };
  if (line.type === 'text') return { ...rest, ...source };
  return { ...rest, ...source, quantity, amount: partAmount(taken, quantity, line.unit_price ?? '0') };
}

function ownTexts({ description, item_code, unit }: CreditLineInput): Partial<CreditLine> {
  return {
    ...(description !== undefined && { description }),
    ...(item_code !== undefined && { item_code }),
    ...(unit !== undefined && { unit }),
  };
}

function standingAlone(invoice: readonly PlacedLine[], wish: CreditLineInput): CreditLine {
  const { description = '', item_code = null, unit = null } = wish;
  const source = { source_line_id: null, source_document_id: null };
  if (wish.type === 'text') {
    const empty = { item_code: null, quantity: null, unit: null, unit_price: null, amount: null };
    const untaxed = { tax_category: null, tax_rate: null, withholding: false };
    return { type: 'text', description, ...empty, ...untaxed, ...source };
  }
  const quantity = wish.quantity ?? '1';
  const unit_price = wish.unit_price ?? '0';
  const items = invoice.filter(({ type }) => type === 'item');
  const only = onlyOf(items, ({ tax_category }) => tax_category);
  const tax_category = wish.tax_category ?? only ?? 'standard';
  const alike = items.filter((line) => line.tax_category === tax_category);
  return {
    type: 'item',
    description,
    item_code,
    quantity,
    unit,
    unit_price,
    tax_category,
    tax_rate: alike[0]?.tax_rate ?? 0,
    withholding: wish.withholding ?? onlyOf(alike, ({ withholding }) => withholding) ?? false,
    amount: lineAmount(quantity, unit_price),
    ...source,
  };
}

function onlyOf<Value>(lines: readonly PlacedLine[], of: (line: PlacedLine) => Value): Value | undefined {
  const values = [...new Set(lines.map(of))];
  return values.length === 1 ? values[0] : undefined;
}
