import type { Prefix } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';

/** The kinds of received document, in the order of the reference. */
export const receivedKinds = ['invoice', 'quotation', 'purchase_order', 'delivery_note'] as const;

export type ReceivedKind = (typeof receivedKinds)[number];

/** How the kinds differ; all else is the same code. */
type Differences = {
  prefix: Prefix;
  object: string;
  /** What a document is called in answers, in the audit log and in references to one of several kinds of record. */
  name: string;
  /** Below /api/v1, without the slash before. */
  path: string;
  /** The second word of the IDs of its endpoints. */
  resource: string;
  /** In words, for texts. */
  title: Text;
  statuses: readonly [string, ...string[]];
  has_due_date: boolean;
  /** Whether it may name the purchase order of ours that it answers. */
  answers_order: boolean;
};

export const kinds = {
  invoice: {
    prefix: 'rinv',
    object: 'received.invoice',
    name: 'received_invoice',
    path: 'received-invoices',
    resource: 'invoices',
    title: { en: 'received invoice', ja: '受取請求書' },
    statuses: ['pending', 'approved', 'rejected', 'partially_paid', 'paid'],
    has_due_date: true,
    answers_order: true,
  },
  quotation: {
    prefix: 'rquo',
    object: 'received.quotation',
    name: 'received_quotation',
    path: 'receive-quotations',
    resource: 'quotations',
    title: { en: 'received quotation', ja: '受取見積書' },
    statuses: ['pending', 'approved', 'rejected'],
    has_due_date: true,
    answers_order: false,
  },
  purchase_order: {
    prefix: 'rpo',
    object: 'received.purchase_order',
    name: 'received_purchase_order',
    path: 'receive-purchase-orders',
    resource: 'purchase_orders',
    title: { en: 'received purchase order', ja: '受取注文書' },
    statuses: ['pending', 'approved', 'rejected', 'fulfilled'],
    has_due_date: true,
    answers_order: false,
  },
  delivery_note: {
    prefix: 'rdn',
    object: 'received.delivery_note',
    name: 'received_delivery_note',
    path: 'receive-delivery-notes',
    resource: 'delivery_notes',
    title: { en: 'received delivery note', ja: '受取納品書' },
    statuses: ['pending', 'confirmed', 'rejected'],
    has_due_date: false,
    answers_order: true,
  },
} as const satisfies Record<ReceivedKind, Differences>;
