import { z } from 'zod';
import { ownKeysInput } from '../../kernel/own-keys.ts';
import { addFault, day, id, text } from '../../kernel/schema.ts';
import { commonFields } from '../documents/fields.ts';
import { checkType, LineInput } from '../documents/line.ts';

const { shape } = LineInput;

/** What a line that takes back a line of the invoice has from there. */
const OF_SOURCE = ['type', 'unit_price', 'tax_category', 'withholding'] as const;

/** A line of a credit note: a quantity of a line of the invoice, or a reduction of its own. */
export const CreditLineInput = z
  .strictObject({
    source_line_id: id('li')
      .describe(
        'The line of the invoice that it takes back. What is not said is as there; `quantity` is all that is left of it.',
      )
      .optional(),
    ...shape,
    description: shape.description.optional(),
    tax_category: shape.tax_category.describe(
      "Of a reduction of its own; the invoice's only category, else `standard`, unless said.",
    ),
    withholding: shape.withholding.describe(
      "Of a reduction of its own; as the invoice's lines of its category have it, unless said.",
    ),
  })
  .superRefine((line, issues) => {
    if (line.source_line_id !== undefined) {
      for (const field of OF_SOURCE) {
        if (line[field] !== undefined && line[field] !== null) {
          addFault(issues, field, 'mutually_exclusive', {
            en: 'must not be sent together with source_line_id',
            ja: 'は source_line_id と同時に指定できません',
          });
        }
      }
      return;
    }
    if (line.description === undefined)
      addFault(issues, 'description', 'required', { en: 'is required', ja: 'は必須です' });
    checkType(line, issues);
  })
  .meta({
    id: 'CreditLineItemInput',
    examples: [{ source_line_id: 'li_01kaj2n5w5fq8b4m0g3v7x9rtc', quantity: '2.5' }],
  });

export type CreditLineInput = z.output<typeof CreditLineInput>;

/** What a new credit note is made from. */
export const CreditNoteInput = z
  .strictObject({
    reason: text(1000)
      .describe('Why; printed on it.')
      .meta({ examples: ['返品のため'] }),
    issue_date: day().describe('Today unless said.').optional(),
    line_items: z
      .array(CreditLineInput)
      .min(1)
      .max(1_000)
      .describe('All that is not credited yet unless said.')
      .optional(),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({
    id: 'CreditNoteInput',
    examples: [
      {
        reason: '2袋の返品',
        issue_date: '2026-05-10',
        line_items: [{ source_line_id: 'li_01kaj2n5w5fq8b4m0g3v7x9rtc', quantity: '2.5' }],
      },
    ],
  });

export type CreditNoteInput = z.output<typeof CreditNoteInput>;

/** What changes of a credit note: it is issued from its making, and this is never printed. */
export const CreditNotePatch = z
  .strictObject({ internal_memo: commonFields.internal_memo, ...ownKeysInput })
  .partial()
  .meta({ id: 'CreditNotePatch', examples: [{ external_id: 'K-1024', metadata: { erp_id: '4711' } }] });
