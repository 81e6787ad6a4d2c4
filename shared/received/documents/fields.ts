import { z } from 'zod';
import { Warning } from '../../crm/corporate-number.ts';
import {
  commonFields,
  documentNumber,
  ShownTotals,
  TransactionPeriod,
} from '../../invoicing/documents/fields.ts';
import { BankAccount } from '../../invoicing/settings/bank-account.ts';
import { taxCategories } from '../../invoicing/tax/rates.ts';
import { computed, day, freeText, id, text, timestamp } from '../../kernel/schema.ts';
import { ReceivedFile } from '../files/record.ts';
import { ReceivedPayment } from '../payments/record.ts';
import { registrationNumber } from './registration-number.ts';

/** Yen that an amount may have in either direction: twelve digits. */
export const MOST_YEN = 999_999_999_999;

const yen = (example: number | null) =>
  z
    .int()
    .min(-MOST_YEN)
    .max(MOST_YEN)
    .meta({ examples: [example] });

const shownYen = (example: number) => z.int().meta({ examples: [example] });

const said = (example: string | null) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

/** What is printed of a category and a date; the others of the three are null. */
export const StatedRow = z
  .strictObject({
    tax_category: z.enum(taxCategories),
    net: yen(100_000).nullable(),
    tax: yen(10_000).nullable(),
    gross: yen(110_000).nullable(),
    transaction_date: day().nullable().describe('Of this part, where the rows are of several dates.'),
  })
  .meta({ id: 'StatedTax' });

export type StatedRow = z.output<typeof StatedRow>;

export const viaOfCallers = ['upload', 'api', 'email', 'scan'] as const;

/** What stands on a received document, and callers write. */
export const writtenFields = {
  number: documentNumber(100)
    .nullable()
    .describe("The sender's.")
    .meta({ examples: ['2026-118'] }),
  company_id: id('comp').nullable().describe('Who sent it.'),
  company_name: text(200)
    .nullable()
    .describe("As it is written; the company's name unless said.")
    .meta({ examples: ['株式会社山田商店'] }),
  registration_number: registrationNumber()
    .nullable()
    .describe('As it stands on the paper; never taken from the company.'),
  issue_date: day().nullable(),
  transaction_date: day()
    .nullable()
    .describe('The day of the delivery; `issue_date` unless said. It decides the tax rates.'),
  transaction_period: TransactionPeriod.nullable().describe('Stands instead of a `transaction_date`.'),
  received_on: day().describe('Today unless said.'),
  due_date: day().nullable(),
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
  currency: commonFields.currency,
  stated_breakdown: z
    .array(StatedRow)
    .nullable()
    .describe('The sums as they are printed: one row for a category and date.'),
  stated_total: yen(110_000).nullable().describe('The total as it is printed.'),
  stated_withholding: yen(0).min(0).nullable().describe('The withheld income tax as it is printed.'),
  bank_account: BankAccount.nullable().describe('Where the sender asks the money to be sent.'),
  deduction_basis: z
    .enum(['auto', 'book_only'])
    .describe('`book_only`: the books alone suffice for the deduction, for the reason that is given.'),
  deduction_reason: text(500)
    .nullable()
    .meta({ examples: ['自動販売機での購入'] }),
  purchase_order_id: id('po').nullable().describe('The purchase order of ours that it answers.'),
  match_mode: z
    .enum(['three_way', 'two_way'])
    .describe('With the order and what was accepted, or, for services, with the order alone.'),
};

const TaxDifference = z
  .strictObject({ tax_category: z.enum(taxCategories), stated: shownYen(80), computed: shownYen(84) })
  .meta({ id: 'TaxDifference' });

export type TaxDifference = z.output<typeof TaxDifference>;

/** What may be deducted of the tax, with the rows that it follows from. */
export const InputTax = z
  .strictObject({
    basis: z.enum(['qualified', 'transitional', 'small_amount', 'book_only', 'none']),
    tax: shownYen(10_000),
    deductible: shownYen(7_000),
    non_deductible: shownYen(3_000),
    expense: shownYen(103_000),
    rows: z.array(
      z.strictObject({
        tax_category: z.enum(taxCategories),
        tax_rate: z
          .int()
          .describe('In percent.')
          .meta({ examples: [10] }),
        transaction_date: day().nullable(),
        gross: shownYen(110_000),
        tax: shownYen(10_000),
        share: z
          .int()
          .describe('In percent.')
          .meta({ examples: [70] }),
        deductible: shownYen(7_000),
      }),
    ),
  })
  .meta({ id: 'InputTax' });

export type InputTax = z.output<typeof InputTax>;

/** Of an invoice of which nothing was computed yet. */
export const NO_INPUT_TAX: InputTax = {
  basis: 'none',
  tax: 0,
  deductible: 0,
  non_deductible: 0,
  expense: 0,
  rows: [],
};

const quantity = (example: string) => z.string().meta({ examples: [example] });

/** How an invoice agrees with the order and with what was accepted. */
export const OrderMatch = z
  .strictObject({
    status: z.enum(['none', 'matched', 'within_tolerance', 'mismatch']),
    lines: z.array(
      z.strictObject({
        purchase_order_line_id: id('li').nullable().describe('Null for lines that were not ordered.'),
        ordered: quantity('10'),
        accepted: quantity('8'),
        before: quantity('0').describe('On other invoices, approved or paid.'),
        now: quantity('10'),
        codes: z.array(z.enum(['over_ordered', 'over_accepted', 'price', 'not_ordered'])),
      }),
    ),
    difference: quantity('3700').describe('In yen, exact.'),
  })
  .meta({ id: 'OrderMatch' });

export type OrderMatch = z.output<typeof OrderMatch>;

/** Of an invoice that names no order. */
export const NO_MATCH: OrderMatch = { status: 'none', lines: [], difference: '0' };

const Link = z.strictObject({
  type: z.string().meta({ examples: ['purchase_order'] }),
  id: z.string().meta({ examples: ['po_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
});

export type Link = z.output<typeof Link>;

const instant = () => timestamp().nullable();

/** What follows from the document, from what was done with it, from others and from the day that it is. */
export const readOnlyFields = {
  received_via: z.enum([...viaOfCallers, 'convert']),
  qualified: z
    .boolean()
    .describe('Whether it is a qualified invoice: it has a registration number, unless set false.'),
  totals: ShownTotals,
  tax_differences: z.array(TaxDifference).describe('Where the printed tax is not the computed one.'),
  files: z.array(ReceivedFile).describe('As they came, the oldest first.'),
  duplicate_of: z
    .string()
    .nullable()
    .describe('The document that it repeats, which was allowed.')
    .meta({ examples: [null] }),
  duplicates: computed(
    z
      .array(z.string())
      .describe('Others of the company with the same total within 7 days.')
      .meta({ examples: [[]] }),
  ),
  warnings: z
    .array(Warning)
    .describe('What is odd about the document, though it was accepted.')
    .meta({ examples: [[]] }),
  missing: z
    .array(z.string())
    .describe('The fields that it must have to be approved or confirmed.')
    .meta({ examples: [[]] }),
  available_actions: computed(
    z
      .array(z.string())
      .describe('What the caller may do with it now.')
      .meta({ examples: [['approve', 'reject']] }),
  ),
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
  retention_until: computed(day().describe('The day until which it is kept with its files.')).meta({
    examples: ['2037-05-31'],
  }),
  reject_reason: said(null),
  approved_by: id('usr').nullable(),
  approved_at: instant(),
  rejected_at: instant(),
  confirmed_at: instant(),
  fulfilled_on: day().nullable(),
  fulfilled_at: instant(),
};

/** The same of what invoices alone have. */
export const invoiceFields = {
  bank_account: writtenFields.bank_account,
  match_mode: writtenFields.match_mode,
  posting_date: day().nullable().describe('The date of its journal.'),
  transfer_date: day().nullable().describe('The date of the transfer file that it is in.'),
  input_tax: InputTax,
  match: OrderMatch,
  amount_paid: shownYen(0),
  balance: shownYen(110_000),
  is_overdue: computed(z.boolean()),
  days_overdue: computed(
    z
      .int()
      .nullable()
      .meta({ examples: [null] }),
  ),
  payments: z.array(ReceivedPayment),
  paid_on: day().nullable().describe('When it is paid: the day of the last payment.'),
  paid_at: instant().describe('When `paid_on` began in the time zone of the settings.'),
  journal_ids: computed(z.array(id('je')).describe('Its own entries, not those of its payments.')),
};
