import type { DocumentKind } from '../documents/kinds.ts';

/** What the files of a kind are called. */
export const titles: Record<DocumentKind, string> = {
  quotation: '見積書',
  invoice: '請求書',
  delivery_note: '納品書',
  purchase_order: '発注書',
  credit_note: '返還請求書',
};
