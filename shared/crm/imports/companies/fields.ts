import { byField, expected, narrow, wholeNumber } from '../../../platform/imports/reading/cell.ts';
import {
  addressForm,
  emailForm,
  phoneForm,
  postalForm,
  prefectureForm,
  wideKana,
} from '../../../platform/imports/reading/normal-forms.ts';
import { CompanyPatch } from '../../companies/record.ts';
import { PaymentTerms } from '../../payment-terms.ts';
import { commonFields, field, idField, ownFields, type RecordField, withHeaders } from '../field.ts';
import { companyHeaders } from './headers.ts';

const shape = CompanyPatch.shape;
const own = ownFields(shape);
const terms = PaymentTerms.shape;

/** What a column of a file of companies can be. */
export const companyFields: readonly RecordField[] = withHeaders(
  [
    idField('comp'),
    own('external_id', {
      ja: '外部ID',
      en: 'External ID',
    }),
    own('name', {
      ja: '会社名',
      en: 'Name',
    }),
    own('name_kana', {
      ja: '会社名カナ',
      en: 'Name (kana)',
    }),
    own('corporate_number', { ja: '法人番号', en: 'Corporate number' }, (cell) =>
      narrow(cell).replace(/[\s-]/g, ''),
    ),
    own(
      'invoice_registration_number',
      {
        ja: '登録番号',
        en: 'Invoice registration number',
      },
      (cell) => narrow(cell).toUpperCase().replace(/[\s-]/g, ''),
    ),
    own('domain', { ja: 'ドメイン', en: 'Domain' }, narrow),
    own(
      'website',
      {
        ja: 'ウェブサイト',
        en: 'Website',
      },
      (cell) => cell.trim(),
    ),
    own('phone', { ja: '電話番号', en: 'Phone' }),
    own('fax', { ja: 'FAX', en: 'Fax' }),
    own('email', { ja: 'メールアドレス', en: 'E-mail' }, narrow),
    own('postal_code', { ja: '郵便番号', en: 'Postal code' }, postalCode),
    own('prefecture', { ja: '都道府県', en: 'Prefecture' }),
    own('city', { ja: '市区町村', en: 'City' }),
    own('address_line', {
      ja: '番地',
      en: 'Address',
    }),
    own('building', { ja: '建物名', en: 'Building' }),
    own('industry', { ja: '業種', en: 'Industry' }),
    own('employee_count', { ja: '従業員数', en: 'Employees' }, wholeNumber('名'), expected.whole),
    own('capital', { ja: '資本金', en: 'Capital' }, wholeNumber(), expected.whole),
    own('fiscal_month', { ja: '決算月', en: 'Fiscal month' }, wholeNumber('月'), expected.whole),
    field(
      'payment_terms.closing_day',
      { ja: '締め日', en: 'Closing day', target: 'payment_terms' },
      byField(terms.closing_day, dayOfMonth, expected.dayOfMonth),
    ),
    field(
      'payment_terms.months_later',
      { ja: '支払月', en: 'Months later', target: 'payment_terms' },
      byField(terms.months_later, monthsLater, expected.monthsLater),
    ),
    field(
      'payment_terms.pay_day',
      { ja: '支払日', en: 'Pay day', target: 'payment_terms' },
      byField(terms.pay_day, dayOfMonth, expected.dayOfMonth),
    ),
    own('honorific', { ja: '敬称', en: 'Honorific' }, (cell) => cell.trim()),
    field(
      'parent_external_id',
      { ja: '親会社の外部ID', en: 'Parent external ID', target: 'parent_id' },
      byField(shape.external_id),
    ),
    own('parent_id', { ja: '親会社ID', en: 'Parent ID' }),
    ...commonFields(shape.owner_id),
    own('note', { ja: '備考', en: 'Note' }),
  ],
  companyHeaders,
  {
    name: wideKana,
    name_kana: wideKana,
    phone: phoneForm,
    fax: phoneForm,
    email: emailForm,
    postal_code: postalForm,
    prefecture: prefectureForm,
    city: addressForm,
    address_line: addressForm,
    building: addressForm,
  },
);

/** `〒100-0001`, `1000001`: as the API writes it. */
function postalCode(cell: string): string {
  const digits = narrow(cell).replace(/^〒\s*/, '');
  return /^\d{7}$/.test(digits) ? `${digits.slice(0, 3)}-${digits.slice(3)}` : digits;
}

function dayOfMonth(cell: string): unknown {
  const text = narrow(cell)
    .toLowerCase()
    .replace(/(?:締め?|〆|支?払い?)$/, '');
  if (['end', '末', '末日', '月末'].includes(text)) return 'end';
  return wholeNumber('日')(text);
}

const MONTHS = new Map([
  ['当月', 0],
  ['翌月', 1],
  ['翌々月', 2],
]);

function monthsLater(cell: string): unknown {
  const text = narrow(cell).replace(/[かカヵヶケ箇]月後?$/, 'か月');
  return MONTHS.get(text) ?? wholeNumber('か月')(text);
}
