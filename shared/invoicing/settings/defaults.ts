import type { DocumentKind } from '../documents/kinds.ts';
import type { DocumentNumbering, InvoiceSettings } from './record.ts';

const numbered = (prefix: string, assign_on: DocumentNumbering['assign_on']): DocumentNumbering => ({
  pattern: `${prefix}-{YYYY}-{SEQ:4}`,
  reset: 'year',
  assign_on,
});

/** How documents are numbered where the settings say nothing else: without holes what the law asks to be kept. */
export const defaultNumbering: Record<DocumentKind, DocumentNumbering> = {
  quotation: numbered('QUO', 'create'),
  invoice: numbered('INV', 'issue'),
  delivery_note: numbered('DN', 'create'),
  purchase_order: numbered('PO', 'create'),
  credit_note: numbered('CN', 'issue'),
};

/** The other settings of an organization that has changed none. */
export const defaultSettings = {
  issuer_name: null,
  issuer_detail: null,
  issuer_registration_number: null,
  bank_account: null,
  time_zone: 'Asia/Tokyo',
  fiscal_year_start_month: 4,
  default_tax_display_mode: 'exclusive',
  default_tax_rounding: 'floor',
  default_due: { closing_day: 'end', months_later: 1, pay_day: 'end' },
  reply_to: null,
  window_envelope: 'none',
  approval_required: true,
  locale: 'ja',
} as const satisfies Partial<InvoiceSettings>;
