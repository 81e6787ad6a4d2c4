import type { PrintedLine } from '../../../shared/invoicing/print/lines.ts';
import type { Print, PrintKind } from '../../../shared/invoicing/print/model.ts';
import {
  type PrintExtras,
  type PrintedDocument,
  type PrintedSettings,
  printOf,
} from '../../../shared/invoicing/print/print-of.ts';
import { lineAmount } from '../../../shared/invoicing/tax/line-amount.ts';
import type { TaxCategory } from '../../../shared/invoicing/tax/rates.ts';
import { taxRateOn } from '../../../shared/invoicing/tax/rates.ts';
import { totalsOf } from '../../../shared/invoicing/tax/totals.ts';

/** A line as the story tells it. */
export type StoryLine = {
  description: string;
  quantity?: string;
  unit?: string;
  price?: string;
  category?: TaxCategory;
  code?: string;
  withholding?: boolean;
};

/** What a story changes of the standard document; lines with a price are items, the others text. */
export type Story = Partial<Omit<PrintedDocument, 'line_items' | 'totals'>> & {
  lines?: readonly StoryLine[];
  withholding_mode?: 'none' | 'net' | 'gross';
};

const base: Omit<PrintedDocument, 'line_items' | 'totals' | 'kind'> = {
  number: 'INV-2026-0412',
  honorific: '御中',
  subject: null,
  issue_date: '2026-04-30',
  transaction_date: null,
  transaction_period: { from: '2026-04-01', to: '2026-04-30' },
  due_date: '2026-05-31',
  issuer_name: null,
  issuer_detail: '〒150-0001 東京都渋谷区神宮前1-2-3\n青葉ビル4階\nTEL 03-1234-5678　FAX 03-1234-5679',
  issuer_registration_number: 'T7000012050002',
  bank_account: {
    bank: 'みずほ銀行',
    bank_code: '0001',
    branch: '渋谷支店',
    branch_code: '210',
    type: 'ordinary',
    number: '1234567',
    holder: '株式会社青葉珈琲',
    holder_kana: 'カ）アオバコーヒー',
  },
  memo: null,
  delivery_date: null,
  delivery_place: null,
  payment_terms_text: null,
  show_prices: true,
  tax_display_mode: 'exclusive',
  reason: null,
};

/** A document, with amounts and totals as the service computes them. */
export function documentOf(kind: PrintKind, story: Story): PrintedDocument {
  const { lines = [], withholding_mode = 'none', ...fields } = story;
  const line_items = lines.map(lineOf);
  const counted = lines.flatMap((line, index) => {
    const { tax_category, tax_rate, amount } = line_items[index]!;
    if (tax_category === null || tax_rate === null || amount === null) return [];
    return [{ tax_category, tax_rate, amount, withholding: line.withholding ?? false }];
  });
  const display_mode = fields.tax_display_mode ?? base.tax_display_mode;
  const totals = totalsOf(counted, { display_mode, rounding: 'floor', withholding_mode });
  return { kind, ...base, ...fields, line_items, totals };
}

function lineOf({ description, quantity = '1', unit, price, category, code }: StoryLine): PrintedLine {
  const nothing = { item_code: null, quantity: null, unit: null, unit_price: null };
  if (price === undefined) {
    return { type: 'text', description, ...nothing, tax_category: null, tax_rate: null, amount: null };
  }
  const tax_category = category ?? 'standard';
  return {
    type: 'item',
    description,
    item_code: code ?? null,
    quantity,
    unit: unit ?? null,
    unit_price: price,
    tax_category,
    tax_rate: taxRateOn(tax_category, '2026-04-30'),
    amount: lineAmount(quantity, price),
  };
}

/** The settings of the story's company. */
export const settings: PrintedSettings = {
  issuer_name: '株式会社青葉珈琲',
  logo: null,
  seal: null,
  window_envelope: 'none',
  locale: 'ja',
};

/** Its customer. */
export const extras: PrintExtras = {
  is_draft: false,
  company: {
    name: '株式会社山田商店',
    postal_code: '100-0001',
    prefecture: '東京都',
    city: '千代田区',
    address_line: '千代田1-1',
    building: '山田ビル5階',
    invoice_registration_number: 'T7000012050002',
  },
  person: null,
  invoice: null,
};

/** A line of the reduced rate. */
export const reduced: StoryLine = {
  description: 'コーヒー豆',
  quantity: '3',
  unit: '袋',
  price: '627',
  category: 'reduced',
};

/** A line of the standard rate. */
export const standard: StoryLine = { description: 'グラインダー', price: '6600' };

/** What the page of a document says, of one with a single line unless the story has others. */
export function printed(
  kind: PrintKind,
  story: Story = {},
  changes: { settings?: Partial<PrintedSettings>; extras?: Partial<PrintExtras> } = {},
): Print {
  return printOf(
    documentOf(kind, { lines: [standard], ...story }),
    { ...settings, ...changes.settings },
    { ...extras, ...changes.extras },
  );
}
