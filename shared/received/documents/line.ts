import { z } from 'zod';
import { checkType, LineInput, LineItem } from '../../invoicing/documents/line.ts';
import { addFault, id } from '../../kernel/schema.ts';

/** What a purchase is for: taxed sales, taxed and exempt ones, or exempt ones alone (Consumption Tax Act, article 30(2)). */
export const purposes = ['taxable', 'common', 'exempt'] as const;

const ofReceived = {
  account_id: id('acc').nullable().describe('The account of the chart that it is booked on.'),
  purchase_order_line_id: id('li').nullable().describe('The line of our purchase order that it answers.'),
  purpose: z
    .enum(purposes)
    .nullable()
    .describe('What it is bought for: taxed sales (the default), taxed and exempt ones, or exempt ones.'),
};

/** A line of a received document, as the API shows one. */
export const ReceivedLine = z
  .strictObject({ ...LineItem.omit({ source_line_id: true }).shape, ...ofReceived })
  .meta({ id: 'ReceivedLine' });

/** A line of a received delivery note: with what was accepted of it. */
export const ReceivedNoteLine = z
  .strictObject({
    ...ReceivedLine.shape,
    accepted_quantity: z
      .string()
      .nullable()
      .describe('Null until the note is confirmed.')
      .meta({ examples: [null] }),
    reject_reason: z
      .string()
      .nullable()
      .describe('Why not all of it was accepted.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'ReceivedDeliveryNoteLine' });

/** A line as it is kept, and as lines of delivery notes are shown: decimals as exact text, `amount` in yen. */
export type StoredLine = z.output<typeof ReceivedNoteLine>;

const sent = {
  ...LineInput.shape,
  account_id: ofReceived.account_id.optional(),
  purchase_order_line_id: ofReceived.purchase_order_line_id.optional(),
  purpose: ofReceived.purpose.optional(),
};

const OF_ITEMS = ['account_id', 'purchase_order_line_id', 'purpose'] as const;

type Sent = Parameters<typeof checkType>[0] & { [Name in (typeof OF_ITEMS)[number]]?: unknown };

/** What an item needs and a text must not have. */
function checkReceivedType(line: Sent, issues: z.core.$RefinementCtx): void {
  checkType(line, issues);
  if (line.type !== 'text') return;
  for (const field of OF_ITEMS) {
    if ((line[field] ?? null) !== null)
      addFault(issues, field, 'not_of_text', {
        en: 'must not stand on a text line',
        ja: 'は文章の明細には指定できません',
      });
  }
}

/** A line of a new received document. */
export const ReceivedLineInput = z
  .strictObject(sent)
  .superRefine(checkReceivedType)
  .meta({ id: 'ReceivedLineInput' });

export type ReceivedLineInput = z.output<typeof ReceivedLineInput>;

/** A line of a changed received document: one sent with its ID keeps it. */
export const ReceivedLinePatch = z
  .strictObject({ id: id('li').describe('The line that this one was before.').optional(), ...sent })
  .superRefine(checkReceivedType)
  .meta({ id: 'ReceivedLinePatch' });

export type ReceivedLinePatch = z.output<typeof ReceivedLinePatch>;

/** A line as it was sent, not counted yet. */
export function newReceivedLine(id: string, input: ReceivedLineInput): StoredLine {
  const isItem = input.type !== 'text';
  return {
    id,
    type: isItem ? 'item' : 'text',
    description: input.description,
    item_code: input.item_code ?? null,
    quantity: isItem ? (input.quantity ?? '1') : null,
    unit: input.unit ?? null,
    unit_price: isItem ? (input.unit_price ?? null) : null,
    tax_category: isItem ? (input.tax_category ?? 'standard') : null,
    tax_rate: null,
    withholding: input.withholding ?? false,
    amount: null,
    account_id: input.account_id ?? null,
    purchase_order_line_id: input.purchase_order_line_id ?? null,
    purpose: isItem ? (input.purpose ?? 'taxable') : null,
    accepted_quantity: null,
    reject_reason: null,
  };
}
