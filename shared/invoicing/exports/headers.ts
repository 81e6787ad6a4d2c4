import { commonHeaders } from '../../platform/exports/headers.ts';
import type { TaxCategory } from '../tax/rates.ts';

/** What the tax categories are called. */
export const categories: Record<TaxCategory, string> = {
  standard: '標準税率',
  reduced: '軽減税率',
  legacy_8: '旧8%',
  zero_rated: '免税',
  exempt: '非課税',
  out_of_scope: '不課税',
};

const ofCategories = Object.entries(categories).flatMap(([category, name]) => [
  [`tax_breakdown.${category}.net`, `${name} 対象額`],
  [`tax_breakdown.${category}.tax`, `${name} 消費税`],
]);

/** The Japanese headers of what stands on a document. */
export const documentHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  number: '書類番号',
  status: '状態',
  company_id: '取引先ID',
  company_name: '取引先名',
  contact_id: '担当者ID',
  honorific: '敬称',
  subject: '件名',
  issue_date: '発行日',
  transaction_date: '取引日',
  transaction_from: '取引期間（開始）',
  transaction_to: '取引期間（終了）',
  due_date: '期限',
  delivery_date: '納品日',
  delivery_place: '納品場所',
  payment_terms_text: '支払条件',
  invoice_id: '請求書ID',
  reason: '理由',
  subtotal: '小計',
  tax: '消費税',
  total: '合計',
  withholding_tax: '源泉徴収税',
  amount_due: '請求額',
  amount_paid: '入金額',
  credited: '返還額',
  balance: '残高',
  ...Object.fromEntries(ofCategories),
  currency: '通貨',
  tax_display_mode: '税の表示',
  tax_rounding: '税の端数処理',
  withholding_mode: '源泉徴収の計算',
  issuer_name: '発行者名',
  issuer_registration_number: '登録番号',
  memo: '備考',
  internal_memo: '社内メモ',
  paid_on: '入金日',
  approved_at: '承認日時',
  sent_at: '送付日時',
  accepted_at: '承諾日時',
  rejected_at: '辞退日時',
  reject_reason: '辞退の理由',
  delivered_at: '納品日時',
  paid_at: '入金日時',
  cancelled_at: '取消日時',
  cancel_reason: '取消の理由',
};

/** The Japanese headers of a line, beside what it has of its document. */
export const lineHeaders: Readonly<Record<string, string>> = {
  ...documentHeaders,
  document_id: '書類ID',
  position: '行番号',
  id: '明細ID',
  type: '行の種類',
  description: '品名',
  item_code: '商品コード',
  quantity: '数量',
  unit: '単位',
  unit_price: '単価',
  tax_category: '税区分',
  tax_rate: '税率',
  withholding: '源泉徴収の対象',
  amount: '金額',
  source_line_id: '元の明細ID',
};
