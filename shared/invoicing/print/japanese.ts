import type { TaxCategory } from '../tax/rates.ts';
import type { Words } from './words.ts';

const UNTAXED: Partial<Record<TaxCategory, string>> = {
  zero_rated: '免税',
  exempt: '非課税',
  out_of_scope: '不課税',
};

export const japanese: Words = {
  kinds: {
    quotation: {
      title: '見積書',
      number: '見積番号',
      issued: '見積日',
      greeting: '下記のとおりお見積り申し上げます。',
      headline: 'お見積金額',
    },
    invoice: {
      title: '請求書',
      number: '請求番号',
      issued: '請求日',
      greeting: '下記のとおりご請求申し上げます。',
      headline: 'ご請求金額',
    },
    delivery_note: {
      title: '納品書',
      number: '納品番号',
      issued: '発行日',
      greeting: '下記のとおり納品いたします。',
      headline: '合計金額',
    },
    purchase_order: {
      title: '発注書',
      number: '発注番号',
      issued: '発注日',
      greeting: '下記のとおり発注いたします。',
      headline: '発注金額',
    },
    credit_note: {
      title: '返還請求書',
      number: '返還番号',
      issued: '返還日',
      greeting: '下記のとおり対価を返還いたします。',
      headline: '返還金額',
    },
  },
  draft: '下書き',
  qualified_return: { title: '適格返還請求書', subtitle: null },
  registration: '登録番号',
  transaction_date: '取引日',
  transaction_period: '取引期間',
  valid_until: '有効期限',
  due: 'お支払期限',
  delivered: '納品日',
  delivery_due: '納期',
  delivery_place: '納品場所',
  payment_terms: '支払条件',
  account: 'お振込先',
  account_types: { ordinary: '普通', checking: '当座', savings: '貯蓄' },
  invoice: '元の請求書',
  original_date: '元の取引日',
  reason: '返還理由',
  subject: '件名',
  person: (name, position, courteous) =>
    `${position ? `${position}　` : ''}${name}${courteous ? '　様' : ''}`,
  columns: {
    position: 'No.',
    description: '品目・摘要',
    quantity: '数量',
    unit: '単位',
    unit_price: '単価',
    rate: '税率',
    amount: { exclusive: '金額（税抜）', inclusive: '金額（税込）' },
  },
  mark: '※',
  legend: '※は軽減税率対象',
  rate: (category, percent) => UNTAXED[category] ?? `${category === 'legacy_8' ? '旧' : ''}${percent}%`,
  rate_total: (category, percent) => {
    if (UNTAXED[category]) return UNTAXED[category];
    return `${category === 'legacy_8' ? '旧' : ''}${percent}%対象${category === 'reduced' ? '※' : ''}`;
  },
  subtotal: '小計（税抜）',
  tax: '消費税',
  total: '合計（税込）',
  withholding: '源泉徴収税額',
  after_withholding: '差引金額',
  with_tax: '税込',
  withheld: '税込・源泉徴収後',
  breakdown_title: '税率別内訳',
  breakdown_heads: { label: '区分', net: '税抜金額', tax: '消費税額', gross: '税込金額' },
  carried: { forward: '次頁へ繰越', brought: '前頁より繰越' },
  memo: '備考',
};
