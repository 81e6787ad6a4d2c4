import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { LineInput } from '../documents/line.ts';
import { checkDates, type DocumentInput, lineInputs, MOST_LINES, sentOf } from '../documents/shape.ts';

/** What the body of a conversion puts in the place of what would be copied. */
export type Override = Partial<DocumentInput>;

const fields = sentOf('invoice').shape;

/** How a quotation becomes an invoice. */
export const QuotationConversion = z
  .strictObject({ ...fields, line_items: lineInputs().optional() })
  .superRefine(checkDates)
  .meta({
    id: 'QuotationConversion',
    examples: [{ issue_date: '2026-04-30', subject: '4月分コーヒー豆' }],
  }) as unknown as z.ZodType<Override>;

/** Notes that may go into one invoice. */
const MOST_NOTES = 100;

const AskedLine = z.strictObject({
  source_line_id: id('li').describe('A line of one of the delivery notes.'),
  quantity: LineInput.shape.quantity.describe('All that is open unless said.'),
});

/** How delivery notes become an invoice: which ones, and what part of them. */
export const DeliveryNoteConversion = z
  .strictObject({
    ...fields,
    delivery_note_ids: z
      .array(id('dn'))
      .max(MOST_NOTES)
      .describe('Other notes of the company for the same invoice; its lines come in the order of this list.')
      .optional(),
    lines: z
      .array(AskedLine)
      .min(1)
      .max(MOST_LINES)
      .describe('A part of what is open; all of it unless said.')
      .optional(),
  })
  .superRefine(checkDates)
  .meta({
    id: 'DeliveryNoteConversion',
    examples: [
      {
        issue_date: '2026-04-30',
        lines: [{ source_line_id: 'li_01kaj2n5w5fq8b4m0g3v7x9rtc', quantity: '2.5' }],
      },
    ],
  }) as unknown as z.ZodType<DeliveryNoteConversion>;

export type DeliveryNoteConversion = Omit<Override, 'line_items'> & {
  delivery_note_ids?: string[];
  lines?: z.output<typeof AskedLine>[];
};
