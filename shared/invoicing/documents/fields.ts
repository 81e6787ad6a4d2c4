import { z } from 'zod';
import { Warning } from '../../crm/corporate-number.ts';
import { says } from '../../kernel/language.ts';
import { computed, day, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { DocumentPdf } from '../pdf/state.ts';
import { BankAccount } from '../settings/bank-account.ts';
import { taxDisplayModes } from '../tax/breakdown.ts';
import { taxCategories } from '../tax/rates.ts';
import { taxRoundings } from '../tax/rounding.ts';
import { withholdingModes } from '../tax/withholding.ts';

/** The days that deliveries went over; both belong to it. */
export const TransactionPeriod = z
  .strictObject({ from: day(), to: day() })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    params: { code: 'before_start' },
    error: says({ en: 'must not be before "from"', ja: 'は from 以後の日付で指定してください' }),
  })
  .meta({ id: 'TransactionPeriod', examples: [{ from: '2026-04-01', to: '2026-04-30' }] });

/** A number of a document: one line, and no character that would be lost in it. */
export function documentNumber(longest: number) {
  // Not by \p{Cc}: validators that read patterns without Unicode would refuse a "C".
  return text(longest).regex(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it keeps out.
    /^[^\u0000-\u001f\u007f-\u009f\\]*$/,
    says({ en: 'must be one line without \\', ja: 'は \\ を含まない1行で入力してください' }),
  );
}

/** What stands on every kind of document and callers write; the texts are printed as they are. */
export const commonFields = {
  number: documentNumber(50)
    .nullable()
    .meta({ examples: ['INV-2026-0001'] }),
  company_id: id('comp'),
  contact_id: id('cont').nullable(),
  honorific: z.enum(['御中', '様', '']).describe("What follows the company's name."),
  subject: text(200)
    .nullable()
    .meta({ examples: ['4月分コーヒー豆'] }),
  issue_date: day(),
  transaction_date: day()
    .nullable()
    .describe('The day of the delivery; `issue_date` unless said. It decides the tax rates.'),
  transaction_period: TransactionPeriod.nullable().describe('Stands instead of a `transaction_date`.'),
  due_date: day().nullable(),
  issuer_name: text(200)
    .nullable()
    .meta({ examples: ['山田商事株式会社'] }),
  issuer_detail: freeText(10_000)
    .nullable()
    .meta({ examples: ['〒100-0001 東京都千代田区千代田1-1'] }),
  bank_account: BankAccount.nullable(),
  memo: freeText(10_000)
    .nullable()
    .describe('Printed below the lines.')
    .meta({ examples: ['振込手数料はご負担ください。'] }),
  internal_memo: freeText(10_000)
    .nullable()
    .describe('Never printed.')
    .meta({ examples: ['5月から単価変更の予定'] }),
  delivery_date: day().nullable(),
  delivery_place: text(200)
    .nullable()
    .meta({ examples: ['千代田倉庫'] }),
  payment_terms_text: text(200)
    .nullable()
    .meta({ examples: ['月末締め翌月末払い'] }),
  show_prices: z.boolean().describe('Whether its page shows prices.'),
  tax_display_mode: z.enum(taxDisplayModes).describe('Whether prices are without or with tax.'),
  tax_rounding: z.enum(taxRoundings),
  withholding_mode: z
    .enum(withholdingModes)
    .describe('What income tax is withheld from: nothing, the net, or the amount with tax.'),
  currency: z.literal('JPY'),
};

/** The company as it was on issue. */
export const CompanySnapshot = z
  .strictObject({
    name: z.string().meta({ examples: ['株式会社山田商店'] }),
    postal_code: z
      .string()
      .nullable()
      .meta({ examples: ['100-0001'] }),
    prefecture: z
      .string()
      .nullable()
      .meta({ examples: ['東京都'] }),
    city: z
      .string()
      .nullable()
      .meta({ examples: ['千代田区'] }),
    address_line: z
      .string()
      .nullable()
      .meta({ examples: ['千代田1-1'] }),
    building: z
      .string()
      .nullable()
      .meta({ examples: ['山田ビル5階'] }),
    invoice_registration_number: z
      .string()
      .nullable()
      .meta({ examples: ['T7000012050002'] }),
  })
  .meta({ id: 'CompanySnapshot' });

export type CompanySnapshot = z.output<typeof CompanySnapshot>;

const yen = (example: number) => z.int().meta({ examples: [example] });

/** What a document comes to, in yen: `subtotal + tax = total`, `total - withholding_tax = amount_due`. */
export const ShownTotals = z
  .strictObject({
    subtotal: yen(10_000),
    tax: yen(1_000),
    total: yen(11_000),
    withholding_tax: yen(0),
    amount_due: yen(11_000),
    tax_breakdown: z.array(
      z.strictObject({
        tax_category: z.enum(taxCategories),
        tax_rate: z
          .int()
          .describe('In percent.')
          .meta({ examples: [10] }),
        net: yen(10_000),
        tax: yen(1_000),
        gross: yen(11_000),
      }),
    ),
  })
  .meta({ id: 'DocumentTotals' });

const Link = z.strictObject({
  type: z.string().meta({ examples: ['quotation'] }),
  id: z.string().meta({ examples: ['quo_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
});

/** How the newest mail with the document fares. */
export const DocumentEmail = z
  .strictObject({
    status: z.enum(['none', 'queued', 'sending', 'sent', 'failed', 'unknown']),
    to: z.array(z.string().meta({ examples: ['hanako.yamada@example.co.jp'] })),
    at: timestamp().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'DocumentEmail', examples: [{ status: 'none', to: [], at: null, last_error: null }] });

export type DocumentEmail = z.output<typeof DocumentEmail>;

/** The state of a document that was never mailed. */
export const NO_EMAIL: DocumentEmail = { status: 'none', to: [], at: null, last_error: null };

const instant = () => timestamp().nullable();

/** What follows from the lines, from what was done with the document, and from the day that it is. */
export const readOnlyFields = {
  company_snapshot: CompanySnapshot.nullable().describe('The company as it was on issue; null before.'),
  issuer_registration_number: computed(
    z
      .string()
      .nullable()
      .describe('From the settings; as it was on issue from then on.')
      .meta({ examples: ['T7000012050002'] }),
  ),
  totals: ShownTotals,
  amount_paid: z
    .int()
    .nullable()
    .describe('Invoices: what payments settled.')
    .meta({ examples: [0] }),
  credited: z
    .int()
    .nullable()
    .describe('Invoices: what credit notes took back.')
    .meta({ examples: [0] }),
  balance: z
    .int()
    .nullable()
    .describe('Invoices: what is still owed; below 0, what is owed back.')
    .meta({ examples: [11_000] }),
  is_overdue: computed(z.boolean()),
  days_overdue: computed(z.int().nullable()),
  is_expired: computed(z.boolean().describe('Quotations: sent, and past `due_date` without an answer.')),
  source: computed(
    z
      .array(Link)
      .describe('What it was converted from.')
      .meta({ examples: [[]] }),
  ),
  converted_to: computed(
    z
      .array(Link)
      .describe('What it was converted into.')
      .meta({ examples: [[]] }),
  ),
  sent_at: instant(),
  approved_at: instant(),
  approved_by: id('usr').nullable(),
  accepted_at: instant(),
  rejected_at: instant(),
  reject_reason: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  delivered_at: instant(),
  paid_on: day().nullable().describe('Invoices that are paid: the day on which the last of the money came.'),
  paid_at: instant().describe('When `paid_on` began in the time zone of the settings.'),
  cancelled_at: instant(),
  cancel_reason: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  revises_id: id('inv').nullable().describe('The invoice that this one replaces once it is approved.'),
  email: computed(DocumentEmail),
  pdf: computed(DocumentPdf),
  available_actions: computed(
    z
      .array(z.string())
      .describe('What the caller may do with it now.')
      .meta({ examples: [['send-email', 'mark-paid']] }),
  ),
  warnings: computed(
    z
      .array(Warning)
      .describe('What is odd about the document, though it was accepted.')
      .meta({ examples: [[]] }),
  ),
  created_by: id('usr').nullable(),
  created_at: timestamp(),
  updated_at: timestamp(),
};
