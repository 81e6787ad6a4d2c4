import Big from 'big.js';
import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { addFault, decimalInput, id, isDecimal, text } from '../../kernel/schema.ts';
import { taxCategories } from '../tax/rates.ts';

/** What lines there are: `text` has a description alone. */
export const lineTypes = ['item', 'text'] as const;

/** A line as documents keep it: decimals as exact text, `amount` in yen. A text line has its description alone. */
export type DocumentLine = {
  id: string;
  type: (typeof lineTypes)[number];
  description: string;
  item_code: string | null;
  quantity: string | null;
  unit: string | null;
  unit_price: string | null;
  tax_category: (typeof taxCategories)[number] | null;
  /** In percent; it follows from the category and the transaction date. */
  tax_rate: number | null;
  withholding: boolean;
  amount: bigint | null;
  /** The line that it was converted from, and that one's document. */
  source_line_id: string | null;
  source_document_id: string | null;
};

const shownDecimal = (example: string) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

/** A line, as the API shows one. */
export const LineItem = z
  .strictObject({
    id: id('li'),
    type: z.enum(lineTypes),
    description: z.string().meta({ examples: ['コーヒー豆 1kg'] }),
    item_code: z
      .string()
      .nullable()
      .meta({ examples: ['CB-01'] }),
    quantity: shownDecimal('2.5'),
    unit: z
      .string()
      .nullable()
      .meta({ examples: ['袋'] }),
    unit_price: shownDecimal('1200'),
    tax_category: z.enum(taxCategories).nullable(),
    tax_rate: z
      .int()
      .nullable()
      .describe('In percent.')
      .meta({ examples: [8] }),
    withholding: z.boolean(),
    amount: z
      .int()
      .nullable()
      .describe('Quantity times unit price in yen; fractions are cut.')
      .meta({ examples: [3000] }),
    source_line_id: id('li').nullable().describe('The line that it was converted from.'),
  })
  .meta({ id: 'LineItem' });

/** A decimal of so many digits before and after the point, in its shortest form. */
function decimal(before: number, after: number) {
  const form = new RegExp(`^-?\\d{1,${before}}(\\.\\d{1,${after}})?$`);
  return decimalInput()
    .refine((value) => !isDecimal(value) || form.test(value), {
      params: { code: 'out_of_range' },
      error: says({
        en: `must have at most ${before} digits before and ${after} after the point`,
        ja: `は整数部${before}桁、小数部${after}桁以内で指定してください`,
      }),
    })
    .transform((value) => (SHORTEST.test(value) || !isDecimal(value) ? value : shortest(value)));
}

/** As nearly all decimals come: nothing is left to take away. */
const SHORTEST = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

function shortest(value: string): string {
  return new Big(value).plus(0).toFixed();
}

const sent = {
  type: z.enum(lineTypes).describe('`text` has a description alone; `item` unless said.').optional(),
  description: text(500).meta({ examples: ['コーヒー豆 1kg'] }),
  item_code: text(100)
    .nullable()
    .optional()
    .meta({ examples: ['CB-01'] }),
  quantity: decimal(8, 3)
    .nullable()
    .optional()
    .describe('1 unless said.')
    .meta({ examples: ['2.5'] }),
  unit: text(20)
    .nullable()
    .optional()
    .meta({ examples: ['袋'] }),
  unit_price: decimal(13, 3)
    .nullable()
    .optional()
    .describe('Needed for an item. A discount is a line with a negative one.')
    .meta({ examples: ['1200'] }),
  tax_category: z.enum(taxCategories).nullable().optional().describe('`standard` unless said.'),
  withholding: z.boolean().describe('Whether income tax is withheld from it; false unless said.').optional(),
};

const OF_ITEMS = ['item_code', 'quantity', 'unit', 'unit_price', 'tax_category', 'withholding'] as const;

type Sent = { type?: 'item' | 'text'; unit_price?: string | null };

/** What an item needs and a text must not have. */
export function checkType(line: Sent, issues: z.core.$RefinementCtx): void {
  if (line.type !== 'text') {
    if ((line.unit_price ?? null) === null)
      addFault(issues, 'unit_price', 'required', { en: 'is required', ja: 'は必須です' });
    return;
  }
  for (const field of OF_ITEMS) {
    const value = (line as Record<string, unknown>)[field];
    if (value !== undefined && value !== null && value !== false)
      addFault(issues, field, 'not_of_text', {
        en: 'must not stand on a text line',
        ja: 'は文章の明細には指定できません',
      });
  }
}

/** What callers send of a line, each field by itself. */
export const lineFields = sent;

/** A line of a new document. */
export const LineInput = z.strictObject(sent).superRefine(checkType).meta({ id: 'LineItemInput' });

export type LineInput = z.output<typeof LineInput>;

/** A line of a changed document: one sent with its ID keeps it. */
export const LinePatch = z
  .strictObject({ id: id('li').describe('The line that this one was before.').optional(), ...sent })
  .superRefine(checkType)
  .meta({ id: 'LineItemPatch' });

export type LinePatch = z.output<typeof LinePatch>;
