import { byField, narrow, wholeNumber } from '../../../platform/imports/reading/cell.ts';
import { CompanyPatch } from '../../companies/record.ts';
import { PaymentTerms } from '../../payment-terms.ts';
import { commonFields, field, idField, ownFields, type RecordField } from '../field.ts';

const shape = CompanyPatch.shape;
const own = ownFields(shape);
const terms = PaymentTerms.shape;

/** What a column of a file of companies can be. */
export const companyFields: readonly RecordField[] = [
  idField('comp'),
  own('external_id', {
    ja: '外部ID',
    en: 'External ID',
    aliases: ['会社コード', '企業コード', '取引先コード', 'customer id', 'company id'],
  }),
  own('name', {
    ja: '会社名',
    en: 'Name',
    aliases: ['企業名', '取引先名', '法人名', '名称', 'company', 'company name'],
  }),
  own('name_kana', {
    ja: '会社名カナ',
    en: 'Name (kana)',
    aliases: ['会社名（カナ）', 'フリガナ', 'カナ', '企業名カナ'],
  }),
  own('corporate_number', { ja: '法人番号', en: 'Corporate number' }, (cell) =>
    narrow(cell).replace(/[\s-]/g, ''),
  ),
  own(
    'invoice_registration_number',
    {
      ja: '登録番号',
      en: 'Invoice registration number',
      aliases: ['インボイス番号', '適格請求書発行事業者登録番号', 'インボイス登録番号'],
    },
    (cell) => narrow(cell).toUpperCase().replace(/[\s-]/g, ''),
  ),
  own('domain', { ja: 'ドメイン', en: 'Domain', aliases: ['company domain name'] }, narrow),
  own(
    'website',
    {
      ja: 'ウェブサイト',
      en: 'Website',
      aliases: ['URL', 'ホームページ', 'HP', 'web', 'サイト', 'website url'],
    },
    (cell) => cell.trim(),
  ),
  own('phone', { ja: '電話番号', en: 'Phone', aliases: ['電話', 'TEL', '代表電話', 'phone number'] }),
  own('fax', { ja: 'FAX', en: 'Fax', aliases: ['FAX番号', 'ファックス', 'ファクス'] }),
  own(
    'email',
    { ja: 'メールアドレス', en: 'E-mail', aliases: ['メール', 'mail', 'Eメール', '代表メール'] },
    narrow,
  ),
  own(
    'postal_code',
    { ja: '郵便番号', en: 'Postal code', aliases: ['〒', 'zip', 'zip code', 'postcode'] },
    postalCode,
  ),
  own('prefecture', { ja: '都道府県', en: 'Prefecture' }),
  own('city', { ja: '市区町村', en: 'City', aliases: ['市町村'] }),
  own('address_line', {
    ja: '番地',
    en: 'Address',
    aliases: ['住所', '住所1', '町名番地', 'address line', '町域・番地'],
  }),
  own('building', { ja: '建物名', en: 'Building', aliases: ['建物', 'ビル名'] }),
  own('industry', { ja: '業種', en: 'Industry', aliases: ['業界'] }),
  own(
    'employee_count',
    { ja: '従業員数', en: 'Employees', aliases: ['社員数', 'employee count', 'number of employees'] },
    wholeNumber('名'),
  ),
  own('capital', { ja: '資本金', en: 'Capital' }, wholeNumber()),
  own('fiscal_month', { ja: '決算月', en: 'Fiscal month', aliases: ['決算期'] }, wholeNumber('月')),
  field(
    'payment_terms.closing_day',
    { ja: '締め日', en: 'Closing day', aliases: ['締日'], target: 'payment_terms' },
    byField(terms.closing_day, dayOfMonth),
  ),
  field(
    'payment_terms.months_later',
    { ja: '支払月', en: 'Months later', aliases: ['支払サイト'], target: 'payment_terms' },
    byField(terms.months_later, monthsLater),
  ),
  field(
    'payment_terms.pay_day',
    { ja: '支払日', en: 'Pay day', target: 'payment_terms' },
    byField(terms.pay_day, dayOfMonth),
  ),
  own('honorific', { ja: '敬称', en: 'Honorific' }, (cell) => cell.trim()),
  field(
    'parent_external_id',
    { ja: '親会社の外部ID', en: 'Parent external ID', aliases: ['親会社コード'], target: 'parent_id' },
    byField(shape.external_id),
  ),
  own('parent_id', { ja: '親会社ID', en: 'Parent ID' }),
  ...commonFields(shape.owner_id),
  own('note', { ja: '備考', en: 'Note', aliases: ['メモ', 'notes', 'memo'] }),
];

/** `〒100-0001`, `1000001`: as the API writes it. */
function postalCode(cell: string): string {
  const digits = narrow(cell).replace(/^〒\s*/, '');
  return /^\d{7}$/.test(digits) ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits;
}

function dayOfMonth(cell: string): unknown {
  const text = narrow(cell).toLowerCase();
  if (['end', '末', '末日', '月末'].includes(text)) return 'end';
  return wholeNumber('日')(text);
}

const MONTHS = new Map([
  ['当月', 0],
  ['翌月', 1],
  ['翌々月', 2],
]);

function monthsLater(cell: string): unknown {
  return MONTHS.get(narrow(cell)) ?? wholeNumber('か月')(cell);
}
