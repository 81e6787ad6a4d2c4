import { z } from 'zod';
import { REGISTRATION_NUMBER } from '../../crm/corporate-number.ts';
import { TenantModel } from '../../db/model.ts';
import { commonFields, ShownTotals, TransactionPeriod } from '../../invoicing/documents/fields.ts';
import { LineItem } from '../../invoicing/documents/line.ts';
import { checkDates, type DocumentInput, lineInputs } from '../../invoicing/documents/shape.ts';
import { factsOf } from '../../kernel/fact.ts';
import { says } from '../../kernel/language.ts';
import { day, freeText, id, text, timestamp } from '../../kernel/schema.ts';

const said = (example: string | null) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

/** A line of a received invoice, with the line of the purchase order that it answers. */
const ReceivedLine = LineItem.omit({ source_line_id: true })
  .extend({ purchase_order_line_id: id('li').nullable() })
  .meta({ id: 'ReceivedInvoiceLine' });

/** An invoice from a supplier, as the API shows one. */
export const ReceivedInvoice = z
  .strictObject({
    id: id('rinv'),
    object: z.literal('received.invoice'),
    status: z.enum(['pending', 'approved', 'rejected', 'partially_paid', 'paid']),
    number: said(null).describe("The supplier's."),
    company_id: id('comp').nullable(),
    company_name: said('株式会社山田商店'),
    registration_number: said(null).describe('As it stands on the paper; never taken from the company.'),
    issue_date: day().nullable(),
    transaction_date: day().nullable(),
    transaction_period: TransactionPeriod.nullable(),
    received_on: day(),
    due_date: day().nullable(),
    subject: said('4月分コーヒー豆'),
    memo: said(null),
    internal_memo: said(null),
    tax_display_mode: commonFields.tax_display_mode,
    tax_rounding: commonFields.tax_rounding,
    withholding_mode: commonFields.withholding_mode,
    currency: z.literal('JPY'),
    line_items: z.array(ReceivedLine),
    totals: ShownTotals,
    received_via: z.enum(['upload', 'api', 'email', 'scan', 'convert']),
    purchase_order_id: id('po').nullable(),
    source: z.array(
      z.strictObject({
        type: z.string().meta({ examples: ['purchase_order'] }),
        id: z.string().meta({ examples: ['po_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
      }),
    ),
    created_by: id('usr').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ReceivedInvoice' });

export type ReceivedInvoice = z.output<typeof ReceivedInvoice>;

/** How a purchase order becomes a received invoice: what stands in the place of what would be copied. */
export const PurchaseOrderConversion = z
  .strictObject({
    number: text(50)
      .nullable()
      .describe("The supplier's.")
      .meta({ examples: ['2026-118'] }),
    registration_number: z
      .string()
      .regex(
        REGISTRATION_NUMBER,
        says({ en: 'must be T and 13 digits', ja: 'はTと13桁の数字で入力してください' }),
      )
      .nullable()
      .describe('As it stands on the paper.')
      .meta({ examples: ['T7000012050002'] }),
    received_on: day(),
    issue_date: day(),
    transaction_date: commonFields.transaction_date,
    transaction_period: commonFields.transaction_period,
    due_date: commonFields.due_date,
    subject: commonFields.subject,
    memo: freeText(5_000)
      .nullable()
      .meta({ examples: ['分納あり'] }),
    internal_memo: freeText(5_000)
      .nullable()
      .meta({ examples: ['検収待ち'] }),
    tax_display_mode: commonFields.tax_display_mode,
    tax_rounding: commonFields.tax_rounding,
    withholding_mode: commonFields.withholding_mode,
    line_items: lineInputs(),
  })
  .partial()
  .superRefine((sent, issues) => checkDates(sent as Partial<DocumentInput>, issues))
  .meta({
    id: 'PurchaseOrderConversion',
    examples: [{ number: '2026-118', received_on: '2026-04-30', subject: '4月分コーヒー豆' }],
  });

export type PurchaseOrderConversion = z.output<typeof PurchaseOrderConversion>;

export class ReceivedInvoiceModel extends TenantModel {
  static override tableName = 'received_documents';
  static override jsonAttributes = ['tax_breakdown'];
}

export const RECEIVED_LINES = { tableName: 'received_lines' };

export const receivedInvoiceFacts = factsOf({
  domain: 'received',
  entity_type: 'received_invoice',
  computed: ['source'],
});
