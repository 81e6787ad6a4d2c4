import type { TaxCategory } from '../tax/rates.ts';
import type { Words } from './words.ts';

const UNTAXED: Partial<Record<TaxCategory, string>> = {
  zero_rated: 'Zero-rated',
  exempt: 'Exempt',
  out_of_scope: 'No tax',
};

function rate(category: TaxCategory, percent: number): string {
  return UNTAXED[category] ?? `${percent}%${category === 'legacy_8' ? ' (former)' : ''}`;
}

export const english: Words = {
  kinds: {
    quotation: {
      title: 'Quotation',
      number: 'Quotation no.',
      issued: 'Date',
      greeting: 'Thank you for your enquiry. We are pleased to quote as follows.',
      headline: 'Quotation total',
    },
    invoice: {
      title: 'Invoice',
      number: 'Invoice no.',
      issued: 'Invoice date',
      greeting: 'Please find the details of this invoice below.',
      headline: 'Amount due',
    },
    delivery_note: {
      title: 'Delivery Note',
      number: 'Delivery note no.',
      issued: 'Date',
      greeting: 'Please find the details of this delivery below.',
      headline: 'Total',
    },
    purchase_order: {
      title: 'Purchase Order',
      number: 'Order no.',
      issued: 'Order date',
      greeting: 'Please supply the following on the terms stated.',
      headline: 'Order total',
    },
    credit_note: {
      title: 'Credit Note',
      number: 'Credit note no.',
      issued: 'Date',
      greeting: 'We have credited the following to your account.',
      headline: 'Amount credited',
    },
  },
  draft: 'DRAFT',
  qualified_return: { title: 'Credit Note', subtitle: 'Qualified Return Invoice' },
  registration: 'Registration no.',
  transaction_date: 'Date of supply',
  transaction_period: 'Period of supply',
  valid_until: 'Valid until',
  due: 'Payment due',
  delivered: 'Delivered on',
  delivery_due: 'Deliver by',
  delivery_place: 'Deliver to',
  payment_terms: 'Payment terms',
  account: 'Bank account',
  account_types: { ordinary: 'Ordinary account', checking: 'Checking account', savings: 'Savings account' },
  invoice: 'Invoice credited',
  original_date: 'Supplied on',
  reason: 'Reason',
  subject: 'Subject',
  person: (name, position) => `Attn: ${name}${position ? `, ${position}` : ''}`,
  columns: {
    position: 'No.',
    description: 'Description',
    quantity: 'Quantity',
    unit: 'Unit',
    unit_price: 'Unit price',
    rate: 'Tax',
    amount: { exclusive: 'Amount excl. tax', inclusive: 'Amount incl. tax' },
  },
  mark: '*',
  legend: '* Reduced tax rate',
  rate,
  rate_total: (category, percent) => `${rate(category, percent)}${category === 'reduced' ? ' *' : ''}`,
  subtotal: 'Subtotal excl. tax',
  tax: 'Consumption tax',
  total: 'Total incl. tax',
  withholding: 'Withholding tax',
  after_withholding: 'Net amount',
  with_tax: 'incl. tax',
  withheld: 'incl. tax, less withholding tax',
  breakdown_title: 'Tax by rate',
  breakdown_heads: { label: 'Rate', net: 'Excl. tax', tax: 'Tax', gross: 'Incl. tax' },
  carried: { forward: 'Carried forward', brought: 'Brought forward' },
  memo: 'Notes',
};
