import { externalId } from '../../kernel/own-keys.ts';
import { id as idOf, text } from '../../kernel/schema.ts';
import { byField, narrow } from '../../platform/imports/reading/cell.ts';
import { parseDay } from '../../platform/imports/reading/day.ts';
import type { ImportField } from '../../platform/imports/reading/field.ts';
import { commonFields } from '../documents/fields.ts';
import { kinds, type WrittenKind } from '../documents/kinds.ts';
import { lineFields } from '../documents/line.ts';
import { writtenFields } from '../documents/shape.ts';
import { documentHeaders, lineHeaders } from '../exports/headers.ts';
import { titles } from '../exports/titles.ts';
import {
  decimalCell,
  oneOf,
  parseCurrency,
  parseHonorific,
  parseLineType,
  parseMetadata,
  parseRowType,
  parseTaxCategory,
  parseTaxDisplayMode,
  parseTaxRounding,
  parseWithholdingMode,
  parseYesOrNo,
} from './cells.ts';

/** The columns of a line; the others stand for the whole document. */
export const lineColumns = [
  'type',
  'description',
  'item_code',
  'quantity',
  'unit',
  'unit_price',
  'tax_category',
  'withholding',
] as const;

type Words = { ja: string; en: string; aliases?: readonly string[] };

function field(name: string, { ja, en, aliases = [] }: Words, parse: ImportField['parse']): ImportField {
  return { name, label: { ja, en }, aliases: [...aliases], parse };
}

const own = (name: keyof typeof commonFields, en: string, aliases: readonly string[] = []) =>
  field(name, { ja: documentHeaders[name] ?? name, en, aliases }, byField(commonFields[name]));

const dated = (name: string, en: string, aliases: readonly string[] = []) =>
  field(name, { ja: documentHeaders[name]!, en, aliases }, parseDay);

/** What the programs of each kind of document call its number and days, beside what all are called by. */
const words = {
  quotation: {
    number: ['見積書番号', '見積番号', '見積No'],
    issue_date: ['見積日', '見積書発行日'],
    due_date: ['有効期限', '見積有効期限', '見積期限'],
    company: ['見積先', '見積先名'],
  },
  invoice: {
    number: ['請求書番号', '請求番号', '請求書No', '請求No'],
    issue_date: ['請求日', '請求書発行日', '請求日付', '売上日'],
    due_date: [
      'お支払期限',
      'お支払い期限',
      '支払期限',
      '支払い期限',
      '支払期日',
      'お支払期日',
      '入金期日',
      '入金期限',
      '入金予定日',
      '振込期限',
      '振込期日',
      '回収予定日',
    ],
    company: ['請求先', '請求先名', '請求先名称'],
  },
  delivery_note: {
    number: ['納品書番号', '納品番号', '納品書No'],
    issue_date: ['納品書発行日'],
    due_date: [],
    company: ['納品先', '納品先名'],
  },
  purchase_order: {
    number: ['発注書番号', '発注番号', '注文書番号', '注文番号', '発注No'],
    issue_date: ['発注日', '注文日', '発注書発行日'],
    due_date: [],
    company: ['発注先', '発注先名', '仕入先', '仕入先名'],
  },
} as const satisfies Record<WrittenKind, Record<string, readonly string[]>>;

function companyFields(kind: WrittenKind): ImportField[] {
  const names: ImportField = field(
    'company_name',
    {
      ja: documentHeaders['company_name']!,
      en: 'Company',
      aliases: [
        '取引先',
        '取引先名称',
        '得意先',
        '得意先名',
        '得意先名称',
        '顧客名',
        '会社名',
        '宛名',
        '宛先',
        'company',
        'customer',
        ...words[kind].company,
      ],
    },
    byField(text(200)),
  );
  return [
    {
      ...names,
      required: 'column',
      or: ['company_external_id', 'corporate_number', 'company_id'],
    },
    field(
      'company_external_id',
      {
        ja: '取引先コード',
        en: 'Company external ID',
        aliases: [
          '得意先コード',
          '顧客コード',
          '顧客番号',
          '取引先番号',
          '請求先コード',
          '仕入先コード',
          '会社コード',
          '会社の外部ID',
          'company code',
          'customer code',
        ],
      },
      byField(externalId()),
    ),
    field(
      'corporate_number',
      { ja: '法人番号', en: 'Corporate number', aliases: ['取引先法人番号'] },
      byField(text(13), (cell) => narrow(cell).replace(/[\s-]/g, '')),
    ),
    field('company_id', { ja: documentHeaders['company_id']!, en: 'Company ID' }, byField(idOf('comp'))),
  ];
}

const lineFieldsOf: readonly ImportField[] = [
  {
    ...field(
      'description',
      {
        ja: lineHeaders['description']!,
        en: 'Description',
        aliases: ['品目', '品目名', '商品名', '商品', 'item', '摘要', '内容'],
      },
      byField(lineFields.description),
    ),
    required: 'column',
  },
  field(
    'item_code',
    { ja: lineHeaders['item_code']!, en: 'Item code', aliases: ['品目コード', '品番', '商品番号', 'SKU'] },
    byField(lineFields.item_code),
  ),
  field(
    'quantity',
    { ja: lineHeaders['quantity']!, en: 'Quantity', aliases: ['個数', 'qty'] },
    decimalCell(lineFields.quantity),
  ),
  field('unit', { ja: lineHeaders['unit']!, en: 'Unit' }, byField(lineFields.unit)),
  {
    ...field(
      'unit_price',
      { ja: lineHeaders['unit_price']!, en: 'Unit price', aliases: ['単価(円)', '販売単価', 'price'] },
      decimalCell(lineFields.unit_price),
    ),
    required: 'column',
  },
  field(
    'tax_category',
    {
      ja: lineHeaders['tax_category']!,
      en: 'Tax category',
      aliases: ['消費税区分', '課税区分', '品目消費税率', '消費税率', '税率', 'tax rate'],
    },
    parseTaxCategory,
  ),
  field(
    'withholding',
    { ja: lineHeaders['withholding']!, en: 'Withholding', aliases: ['源泉徴収', '源泉'] },
    parseYesOrNo,
  ),
  field('type', { ja: lineHeaders['type']!, en: 'Type of line' }, parseLineType),
];

/** What columns of a file of documents of a kind can be mapped to: those of the document, then those of its lines. */
export function documentFields(kind: WrittenKind): readonly ImportField[] {
  const { has_due_date, title } = kinds[kind];
  const mine = words[kind];
  const numbers = [
    '書類番号',
    '帳票番号',
    '伝票番号',
    '伝票No',
    '番号',
    `${title.en} number`,
    ...mine.number,
  ];
  const all: ImportField[] = [
    field(
      'external_id',
      { ja: '外部ID', en: 'External ID', aliases: ['管理番号', '外部キー'] },
      byField(externalId()),
    ),
    own('number', 'Number', numbers),
    field('row_type', { ja: '行形式', en: 'Type of row', aliases: ['行種別', '行区分'] }, parseRowType),
    field(
      'kind',
      { ja: '書類種別', en: 'Kind of document', aliases: ['帳票種別', '書類の種類'] },
      oneOf({ [kind]: kind, [title.ja]: kind, [titles[kind]]: kind, [title.en]: kind }, 'other_kind'),
    ),
    ...companyFields(kind),
    field('contact_id', { ja: documentHeaders['contact_id']!, en: 'Contact ID' }, byField(idOf('cont'))),
    field('honorific', { ja: '敬称', en: 'Honorific', aliases: ['取引先敬称'] }, parseHonorific),
    own('subject', 'Subject', ['件名', 'タイトル', '案件名', 'title']),
    {
      ...dated('issue_date', 'Issue date', [
        '発行日付',
        '伝票日付',
        '作成日',
        '日付',
        'date',
        ...mine.issue_date,
      ]),
      required: 'column',
      ...(kinds[kind].has_delivery && { or: ['delivery_date'] }),
    },
    ...(has_due_date ? [dated('due_date', 'Due date', ['期日', ...mine.due_date])] : []),
    dated('transaction_date', 'Transaction date', ['売上計上日', '計上日', '取引年月日']),
    dated('transaction_from', 'Transactions from', ['取引期間開始', '対象期間開始']),
    dated('transaction_to', 'Transactions to', ['取引期間終了', '対象期間終了']),
    dated('delivery_date', 'Delivery date', ['納期', '納品期日', '納入日']),
    own('delivery_place', 'Delivery place', ['納入場所', '受渡場所']),
    own('payment_terms_text', 'Payment terms', ['支払い条件', '取引条件']),
    field('show_prices', { ja: '金額の表示', en: 'Shows prices', aliases: ['金額表示'] }, parseYesOrNo),
    field(
      'tax_display_mode',
      {
        ja: documentHeaders['tax_display_mode']!,
        en: 'Tax display',
        aliases: ['内税/外税', '税表示', '消費税表示', '税計算', '税区分表示'],
      },
      parseTaxDisplayMode,
    ),
    field(
      'tax_rounding',
      {
        ja: documentHeaders['tax_rounding']!,
        en: 'Tax rounding',
        aliases: ['消費税端数', '消費税端数処理', '端数処理'],
      },
      parseTaxRounding,
    ),
    field(
      'withholding_mode',
      {
        ja: documentHeaders['withholding_mode']!,
        en: 'Withholding of',
        aliases: ['源泉徴収計算', '源泉徴収税計算方法'],
      },
      parseWithholdingMode,
    ),
    field('currency', { ja: documentHeaders['currency']!, en: 'Currency' }, parseCurrency),
    own('issuer_name', 'Issuer', ['自社名', '発行元名', '発行元']),
    field(
      'issuer_detail',
      { ja: '発行者の詳細', en: 'Detail of the issuer', aliases: ['発行元住所'] },
      byField(commonFields.issuer_detail),
    ),
    own('memo', 'Memo', ['備考', '請求書備考', 'notes']),
    own('internal_memo', 'Internal memo', ['メモ', '社内備考', '社内用メモ']),
    field('metadata', { ja: 'メタデータ', en: 'Metadata' }, parseMetadata),
  ];
  const written = new Set<string>(writtenFields(kind));
  const isOfKind = ({ name }: ImportField) => !(name in commonFields) || written.has(name);
  return [...all.filter(isOfKind), ...lineFieldsOf];
}
