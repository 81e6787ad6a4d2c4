import { truthWords } from '../../platform/exports/truth-words.ts';
import { categories } from './headers.ts';

/*
 * What stands in the cells of a file in Japanese in place of the API's words. What an import of documents takes is among the
 * words that it knows.
 */

const statusWords = {
  draft: '下書き',
  approved: '承認済み',
  sent: '送付済み',
  partially_paid: '一部入金',
  paid: '入金済み',
  cancelled: '取消',
  accepted: '承諾',
  rejected: '辞退',
  delivered: '納品済み',
  issued: '発行済み',
};

export const methodWords = {
  bank_transfer: '銀行振込',
  cash: '現金',
  card: 'カード',
  offset: '相殺',
  other: 'その他',
};

export const feeBearerWords = { us: '自社', customer: '取引先' };

/** By the columns of documents. */
export const documentWords = {
  status: statusWords,
  tax_display_mode: { exclusive: '外税', inclusive: '内税' },
  tax_rounding: { floor: '切り捨て', round: '四捨五入', ceil: '切り上げ' },
  withholding_mode: { none: 'なし', net: '税抜', gross: '税込' },
};

/** By the columns of lines. */
export const lineWords = {
  ...documentWords,
  type: { item: '品目', text: '文章' },
  tax_category: categories,
  withholding: truthWords,
};
