import { actionsFor } from '../transitions/allowed.ts';
import { type DocumentKind, kinds } from './kinds.ts';

/** The fields that say when something was done, by status, in the order in which it was. */
const DONE: Record<DocumentKind, Record<string, readonly (keyof typeof TIMES)[]>> = {
  quotation: {
    draft: [],
    sent: ['sent_at'],
    accepted: ['sent_at', 'accepted_at'],
    rejected: ['sent_at', 'rejected_at'],
  },
  invoice: {
    draft: [],
    approved: ['approved_at'],
    sent: ['approved_at', 'sent_at'],
    partially_paid: ['approved_at', 'sent_at'],
    paid: ['approved_at', 'sent_at', 'paid_at'],
    cancelled: ['approved_at', 'cancelled_at'],
  },
  delivery_note: { draft: [], delivered: ['delivered_at'] },
  purchase_order: { draft: [], sent: ['sent_at'], accepted: ['sent_at', 'accepted_at'] },
  credit_note: { issued: [] },
};

const CREATED_AT = '2026-04-01T00:30:00.000Z';

const TIMES = {
  approved_at: '2026-04-01T01:10:00.000Z',
  sent_at: '2026-04-01T01:20:00.000Z',
  delivered_at: '2026-04-20T06:40:00.000Z',
  accepted_at: '2026-04-03T02:15:00.000Z',
  rejected_at: '2026-04-03T02:15:00.000Z',
  cancelled_at: '2026-04-02T08:05:00.000Z',
  paid_at: '2026-05-30T15:00:00.000Z',
};

const NUMBERS: Record<DocumentKind, string> = {
  quotation: 'QUO-2026-0001',
  invoice: 'INV-2026-0001',
  delivery_note: 'DN-2026-0001',
  purchase_order: 'PO-2026-0001',
  credit_note: 'CN-2026-0001',
};

/** What the example comes to, and what of it was paid of one that is paid in part; yen. */
const TOTAL = 3_240;
const PART = 1_000;

const idOf = (prefix: string) => `${prefix}_01kaj2n5w5fq8b4m0g3v7x9rtc`;

const NO_PDF = { status: 'none', sha256: null, size: null, rendered_at: null };

const PDF = {
  status: 'ready',
  sha256: '9f2c1d6c0b1e4f7a8d3b5e6f7081928374655647382910abcdef0123456789ab',
  size: 31_204,
  rendered_at: '2026-04-01T01:10:02.000Z',
};

/** A document as the API shows it in one of the statuses of its kind, whole and without contradiction. */
export function exampleDocument<Kind extends DocumentKind>(
  kind: Kind,
  status: (typeof kinds)[Kind]['statuses'][number],
): Record<string, unknown> {
  const { prefix, object, has_due_date, has_delivery, has_show_prices } = kinds[kind];
  const isDraft = status === 'draft';
  const isInvoice = kind === 'invoice';
  const done = DONE[kind][status]!;
  const at = (field: keyof typeof TIMES) => (done.includes(field) ? TIMES[field] : null);
  const paid = status === 'paid' ? TOTAL : status === 'partially_paid' ? PART : 0;
  const balance = TOTAL - paid;
  return {
    id: idOf(prefix),
    object,
    number: isInvoice && isDraft ? null : NUMBERS[kind],
    status,
    ...WRITTEN,
    due_date: has_due_date ? '2026-05-31' : null,
    delivery_date: has_delivery ? '2026-04-20' : null,
    delivery_place: has_delivery ? '千代田倉庫' : null,
    payment_terms_text: has_delivery ? '月末締め翌月末払い' : null,
    show_prices: has_show_prices ? true : null,
    line_items: [LINE],
    totals: TOTALS,
    company_snapshot: isDraft ? null : COMPANY,
    issuer_registration_number: 'T7000012050002',
    amount_paid: isInvoice ? paid : null,
    credited: isInvoice ? 0 : null,
    balance: isInvoice ? balance : null,
    is_overdue: false,
    days_overdue: null,
    is_expired: false,
    source: [],
    converted_to: [],
    sent_at: at('sent_at'),
    approved_at: at('approved_at'),
    approved_by: at('approved_at') && idOf('usr'),
    accepted_at: at('accepted_at'),
    rejected_at: at('rejected_at'),
    reject_reason: at('rejected_at') && '他社に決まったため',
    delivered_at: at('delivered_at'),
    paid_on: at('paid_at') && '2026-05-31',
    paid_at: at('paid_at'),
    cancelled_at: at('cancelled_at'),
    cancel_reason: at('cancelled_at') && '二重に発行したため',
    revises_id: null,
    email: { status: 'none', to: [], at: null, last_error: null },
    pdf: isDraft ? NO_PDF : PDF,
    available_actions: actionsFor(
      {
        kind,
        status,
        due_date: null,
        converted_to: [],
        has_open_quantity: true,
        open_revision_id: null,
        replaced_has: null,
        amount_due: BigInt(TOTAL),
        credited: 0n,
        balance: BigInt(balance),
      },
      { grants: null, approval_required: true },
    ),
    warnings: [],
    created_by: idOf('usr'),
    created_at: CREATED_AT,
    updated_at: done.map((field) => TIMES[field]).at(-1) ?? CREATED_AT,
  };
}

const WRITTEN = {
  company_id: idOf('comp'),
  contact_id: idOf('cont'),
  honorific: '御中',
  subject: '4月分コーヒー豆',
  issue_date: '2026-04-01',
  transaction_date: '2026-04-01',
  transaction_period: null,
  issuer_name: '山田商事株式会社',
  issuer_detail: '〒100-0001 東京都千代田区千代田1-1',
  bank_account: {
    bank: 'みずほ銀行',
    bank_code: '0001',
    branch: '丸の内支店',
    branch_code: '004',
    type: 'ordinary',
    number: '1234567',
    holder: '山田商事株式会社',
    holder_kana: 'ヤマダショウジ（カ',
  },
  memo: '振込手数料はご負担ください。',
  internal_memo: '5月から単価変更の予定',
  tax_display_mode: 'exclusive',
  tax_rounding: 'floor',
  withholding_mode: 'none',
  currency: 'JPY',
  external_id: 'K-1024',
  metadata: { erp_id: '4711' },
};

const LINE = {
  id: idOf('li'),
  type: 'item',
  description: 'コーヒー豆 1kg',
  item_code: 'CB-01',
  quantity: '2.5',
  unit: '袋',
  unit_price: '1200',
  tax_category: 'reduced',
  tax_rate: 8,
  withholding: false,
  amount: 3_000,
  source_line_id: null,
};

const TOTALS = {
  subtotal: 3_000,
  tax: 240,
  total: TOTAL,
  withholding_tax: 0,
  amount_due: TOTAL,
  tax_breakdown: [{ tax_category: 'reduced', tax_rate: 8, net: 3_000, tax: 240, gross: TOTAL }],
};

const COMPANY = {
  name: '株式会社山田商店',
  postal_code: '100-0001',
  prefecture: '東京都',
  city: '千代田区',
  address_line: '千代田1-1',
  building: '山田ビル5階',
  invoice_registration_number: 'T7000012050002',
};
