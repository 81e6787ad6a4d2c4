import { CompanyPatch } from '../../companies/record.ts';
import { PaymentTerms } from '../../payment-terms.ts';
import { byField, narrow, wholeNumber } from '../cell.ts';
import { commonFields, field, idField, type RecordField } from '../field.ts';

const shape = CompanyPatch.shape;
const terms = PaymentTerms.shape;

/** What a column of a file of companies can be. */
export const companyFields: readonly RecordField[] = [
  idField('comp'),
  field(
    'external_id',
    {
      ja: '外部ID',
      en: 'External ID',
      aliases: ['会社コード', '企業コード', '取引先コード', 'customer id', 'company id'],
    },
    byField(shape.external_id),
  ),
  field(
    'name',
    {
      ja: '会社名',
      en: 'Name',
      aliases: ['企業名', '取引先名', '法人名', '名称', 'company', 'company name'],
    },
    byField(shape.name),
  ),
  field(
    'name_kana',
    { ja: '会社名カナ', en: 'Name (kana)', aliases: ['会社名（カナ）', 'フリガナ', 'カナ', '企業名カナ'] },
    byField(shape.name_kana),
  ),
  field(
    'corporate_number',
    { ja: '法人番号', en: 'Corporate number' },
    byField(shape.corporate_number, (cell) => narrow(cell).replace(/[\s-]/g, '')),
  ),
  field(
    'invoice_registration_number',
    {
      ja: '登録番号',
      en: 'Invoice registration number',
      aliases: ['インボイス番号', '適格請求書発行事業者登録番号', 'インボイス登録番号'],
    },
    byField(shape.invoice_registration_number, (cell) => narrow(cell).toUpperCase().replace(/[\s-]/g, '')),
  ),
  field(
    'domain',
    { ja: 'ドメイン', en: 'Domain', aliases: ['company domain name'] },
    byField(shape.domain, narrow),
  ),
  field(
    'website',
    {
      ja: 'ウェブサイト',
      en: 'Website',
      aliases: ['URL', 'ホームページ', 'HP', 'web', 'サイト', 'website url'],
    },
    byField(shape.website, (cell) => cell.trim()),
  ),
  field(
    'phone',
    { ja: '電話番号', en: 'Phone', aliases: ['電話', 'TEL', '代表電話', 'phone number'] },
    byField(shape.phone),
  ),
  field('fax', { ja: 'FAX', en: 'Fax', aliases: ['FAX番号', 'ファックス', 'ファクス'] }, byField(shape.fax)),
  field(
    'email',
    { ja: 'メールアドレス', en: 'E-mail', aliases: ['メール', 'mail', 'Eメール', '代表メール'] },
    byField(shape.email, narrow),
  ),
  field(
    'postal_code',
    { ja: '郵便番号', en: 'Postal code', aliases: ['〒', 'zip', 'zip code', 'postcode'] },
    byField(shape.postal_code, postalCode),
  ),
  field('prefecture', { ja: '都道府県', en: 'Prefecture' }, byField(shape.prefecture)),
  field('city', { ja: '市区町村', en: 'City', aliases: ['市町村'] }, byField(shape.city)),
  field(
    'address_line',
    { ja: '番地', en: 'Address', aliases: ['住所', '住所1', '町名番地', 'address line', '町域・番地'] },
    byField(shape.address_line),
  ),
  field('building', { ja: '建物名', en: 'Building', aliases: ['建物', 'ビル名'] }, byField(shape.building)),
  field('industry', { ja: '業種', en: 'Industry', aliases: ['業界'] }, byField(shape.industry)),
  field(
    'employee_count',
    { ja: '従業員数', en: 'Employees', aliases: ['社員数', 'employee count', 'number of employees'] },
    byField(shape.employee_count, wholeNumber('名')),
  ),
  field('capital', { ja: '資本金', en: 'Capital' }, byField(shape.capital, wholeNumber())),
  field(
    'fiscal_month',
    { ja: '決算月', en: 'Fiscal month', aliases: ['決算期'] },
    byField(shape.fiscal_month, wholeNumber('月')),
  ),
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
  field(
    'honorific',
    { ja: '敬称', en: 'Honorific' },
    byField(shape.honorific, (cell) => cell.trim()),
  ),
  field(
    'parent_external_id',
    { ja: '親会社の外部ID', en: 'Parent external ID', aliases: ['親会社コード'], target: 'parent_id' },
    byField(shape.external_id),
  ),
  field('parent_id', { ja: '親会社ID', en: 'Parent ID' }, byField(shape.parent_id)),
  ...commonFields(shape.owner_id),
  field('note', { ja: '備考', en: 'Note', aliases: ['メモ', 'notes', 'memo'] }, byField(shape.note)),
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
