import type { Prefix } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';

/** The kinds of document, in the order in which they follow each other. */
export const documentKinds = [
  'quotation',
  'invoice',
  'delivery_note',
  'purchase_order',
  'credit_note',
] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** The kinds that callers make by hand; credit notes come from invoices. */
export const writtenKinds = ['quotation', 'invoice', 'delivery_note', 'purchase_order'] as const;

export type WrittenKind = (typeof writtenKinds)[number];

/** How the kinds differ; all else is the same code. */
type Differences = {
  prefix: Prefix;
  object: string;
  /** Below /api/v1, without the slash before. */
  path: string;
  /** In words, for texts. */
  title: Text;
  statuses: readonly [string, ...string[]];
  has_due_date: boolean;
  /** Where and when it is delivered, and the payment terms in words. */
  has_delivery: boolean;
  has_show_prices: boolean;
  /** Whether its company is one that we sell to. */
  makes_customer: boolean;
  /** Default and maximum of `limit` in the offset form of its list. */
  limit: { default: number; most: number };
};

export const kinds = {
  quotation: {
    prefix: 'quo',
    object: 'invoicing.quotation',
    path: 'quotations',
    title: { en: 'quotation', ja: '見積書' },
    statuses: ['draft', 'sent', 'accepted', 'rejected'],
    has_due_date: true,
    has_delivery: false,
    has_show_prices: false,
    makes_customer: true,
    limit: { default: 20, most: 100 },
  },
  invoice: {
    prefix: 'inv',
    object: 'invoicing.invoice',
    path: 'invoices',
    title: { en: 'invoice', ja: '請求書' },
    statuses: ['draft', 'approved', 'sent', 'partially_paid', 'paid', 'cancelled'],
    has_due_date: true,
    has_delivery: false,
    has_show_prices: false,
    makes_customer: true,
    limit: { default: 50, most: 200 },
  },
  delivery_note: {
    prefix: 'dn',
    object: 'invoicing.delivery_note',
    path: 'delivery-notes',
    title: { en: 'delivery note', ja: '納品書' },
    statuses: ['draft', 'delivered'],
    has_due_date: false,
    has_delivery: true,
    has_show_prices: true,
    makes_customer: true,
    limit: { default: 50, most: 200 },
  },
  purchase_order: {
    prefix: 'po',
    object: 'invoicing.purchase_order',
    path: 'purchase-orders',
    title: { en: 'purchase order', ja: '発注書' },
    statuses: ['draft', 'sent', 'accepted'],
    has_due_date: false,
    has_delivery: true,
    has_show_prices: false,
    makes_customer: false,
    limit: { default: 50, most: 200 },
  },
  credit_note: {
    prefix: 'cn',
    object: 'invoicing.credit_note',
    path: 'credit-notes',
    title: { en: 'credit note', ja: '返還請求書' },
    statuses: ['issued'],
    has_due_date: false,
    has_delivery: false,
    has_show_prices: false,
    makes_customer: true,
    limit: { default: 50, most: 200 },
  },
} as const satisfies Record<DocumentKind, Differences>;

/** One of a kind as English sentences name it: `an invoice`. */
export function oneOf(kind: DocumentKind): string {
  return `${kind === 'invoice' ? 'an' : 'a'} ${kinds[kind].title.en}`;
}
