import { z } from 'zod';
import { checkDates, type DocumentInput, lineInputs, sentOf } from '../../invoicing/documents/shape.ts';
import { addFault, day, text } from '../../kernel/schema.ts';
import { AcceptedLines } from '../transitions/accepted.ts';

const reason = (example: string) =>
  text(1_000)
    .nullable()
    .optional()
    .meta({ examples: [example] });

/** How an invoice is approved. */
export const InvoiceApproval = z
  .strictObject({
    posting_date: day()
      .describe(
        'The date of its journal; the transaction date unless said, where that is not open to you the day of receipt, else today.',
      )
      .optional(),
    override_match: z
      .boolean()
      .describe('Approves it although it differs from its order and `match_policy` is `block`.')
      .optional(),
    override_reason: text(1_000)
      .nullable()
      .describe('Why; needed with `override_match`. The audit log keeps it.')
      .optional()
      .meta({ examples: ['追加の送料は合意済み'] }),
    confirm_bank_account: z
      .boolean()
      .describe("Says that a bank account other than that of the company's last approved invoice is right.")
      .optional(),
  })
  .superRefine(({ override_match, override_reason = null }, issues) => {
    if (override_match && override_reason === null)
      addFault(issues, 'override_reason', 'required', {
        en: 'is required with override_match',
        ja: 'は override_match を指定する場合に必須です',
      });
  })
  .meta({ id: 'ReceivedInvoiceApproval', examples: [{ posting_date: '2026-04-30' }] });

export type InvoiceApproval = z.output<typeof InvoiceApproval>;

/** How a quotation is approved. */
export const QuotationApproval = z
  .strictObject({
    force: z.boolean().describe('Approves it although its validity has passed.').optional(),
  })
  .meta({ id: 'ReceivedQuotationApproval' });

/** Why a document is rejected. */
export const Rejection = z
  .strictObject({ reason: reason('金額の相違のため') })
  .meta({ id: 'ReceivedDocumentRejection' });

/** Why a decision is taken back. */
export const Reopening = z
  .strictObject({ reason: reason('計上月の誤り').describe('The audit log keeps it.') })
  .meta({ id: 'ReceivedDocumentReopening' });

/** When an order was fulfilled. */
export const Fulfillment = z
  .strictObject({ fulfilled_on: day().describe('Today unless said.').optional() })
  .meta({ id: 'ReceivedPurchaseOrderFulfillment' });

/** What was accepted of a delivery note. */
export const Confirmation = z.strictObject({ lines: AcceptedLines.optional() }).meta({
  id: 'ReceivedDeliveryNoteConfirmation',
  examples: [
    { lines: [{ id: 'li_01kaj2n5w5fq8b4m0g3v7x9rtc', accepted_quantity: '8', reason: '2袋が破損' }] },
  ],
});

/** How a received quotation becomes a purchase order: what stands in the place of what would be copied. */
export const ReceivedQuotationConversion = z
  .strictObject({ ...sentOf('purchase_order').shape, line_items: lineInputs().optional() })
  .superRefine(checkDates)
  .meta({
    id: 'ReceivedQuotationConversion',
    examples: [{ subject: '4月分コーヒー豆', delivery_date: '2026-04-20' }],
  }) as unknown as z.ZodType<Partial<DocumentInput>>;
