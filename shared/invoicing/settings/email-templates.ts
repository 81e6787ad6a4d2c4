import type { DocumentKind } from '../documents/kinds.ts';

/** The places of a template, which the mail fills in. */
export const placeholders = ['number', 'company_name', 'total', 'due_date'] as const;

export type Placeholders = Record<(typeof placeholders)[number], string>;

const PLACE = /\{\{\s*([a-z_]+)\s*\}\}/g;

/** Whether all double braces of a text are places that a mail fills in. */
export function isTemplate(text: string): boolean {
  const rest = text.replace(PLACE, (place, name: string) => (isPlaceholder(name) ? '' : place));
  return !/\{\{|\}\}/.test(rest);
}

/** The text with its places filled in, once: what a value holds is never read as a place. */
export function filled(text: string, values: Placeholders): string {
  return text.replace(PLACE, (place, name: string) => (isPlaceholder(name) ? values[name] : place));
}

function isPlaceholder(name: string): name is keyof Placeholders {
  return (placeholders as readonly string[]).includes(name);
}

type Template = { subject: string; message: string };

type Words = Record<DocumentKind, Template>;

const ja = (name: string, sentence: string): Template => ({
  subject: `${name} {{number}} のご送付`,
  message: `{{company_name}}\nご担当者様\n\nいつもお世話になっております。\n${name}（{{number}}）をお送りいたします。${sentence}\n\n添付のPDFファイルをご確認くださいますようお願いいたします。`,
});

const en = (name: string, sentence: string): Template => ({
  subject: `${name} {{number}}`,
  message: `Dear {{company_name}},\n\nPlease find attached our ${name.toLowerCase()} {{number}}.${sentence}\n\nKind regards`,
});

/** The texts where an organization has written none of its own. */
export const standardTemplates: Record<'ja' | 'en', Words> = {
  ja: {
    quotation: ja('御見積書', '\n合計金額は {{total}}、有効期限は {{due_date}} です。'),
    invoice: ja('請求書', '\n合計金額は {{total}}、お支払期限は {{due_date}} です。'),
    delivery_note: ja('納品書', ''),
    purchase_order: ja('発注書', '\n合計金額は {{total}} です。'),
    credit_note: ja('返還請求書', '\n合計金額は {{total}} です。'),
  },
  en: {
    quotation: en('Quotation', ' The total is {{total}}; it is valid until {{due_date}}.'),
    invoice: en('Invoice', ' The total is {{total}}; it is due on {{due_date}}.'),
    delivery_note: en('Delivery note', ''),
    purchase_order: en('Purchase order', ' The total is {{total}}.'),
    credit_note: en('Credit note', ' The total is {{total}}.'),
  },
};
