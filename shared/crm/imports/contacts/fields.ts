import { ContactPatch } from '../../contacts/record.ts';
import { byField, narrow } from '../cell.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, field, idField, type RecordField } from '../field.ts';

const shape = ContactPatch.shape;

/** What a column of a file of contacts can be. */
export const contactFields: readonly RecordField[] = [
  idField('cont'),
  field(
    'external_id',
    { ja: '外部ID', en: 'External ID', aliases: ['顧客コード', '顧客番号', 'customer id', 'contact id'] },
    byField(shape.external_id),
  ),
  field(
    'last_name',
    { ja: '姓', en: 'Last name', aliases: ['苗字', '名字', 'family name', 'surname', '氏名（姓）'] },
    byField(shape.last_name),
  ),
  field(
    'first_name',
    { ja: '名', en: 'First name', aliases: ['given name', '下の名前', '氏名（名）'] },
    byField(shape.first_name),
  ),
  field(
    'last_name_kana',
    {
      ja: 'セイ',
      en: 'Last name (kana)',
      aliases: ['姓カナ', '姓（カナ）', '姓フリガナ', 'せい', '姓（かな）'],
    },
    byField(shape.last_name_kana),
  ),
  field(
    'first_name_kana',
    {
      ja: 'メイ',
      en: 'First name (kana)',
      aliases: ['名カナ', '名（カナ）', '名フリガナ', 'めい', '名（かな）'],
    },
    byField(shape.first_name_kana),
  ),
  field(
    'email',
    { ja: 'メールアドレス', en: 'E-mail', aliases: ['メール', 'mail', 'email address', 'Eメール'] },
    byField(shape.email, narrow),
  ),
  field(
    'phone',
    { ja: '電話番号', en: 'Phone', aliases: ['電話', 'TEL', '携帯電話', '携帯', 'telephone', 'mobile'] },
    byField(shape.phone),
  ),
  field(
    'position',
    { ja: '役職', en: 'Position', aliases: ['肩書', '肩書き', 'title', 'job title'] },
    byField(shape.position),
  ),
  ...companyFieldsOf(shape.company_id),
  ...commonFields(shape.owner_id),
  field('note', { ja: '備考', en: 'Note', aliases: ['メモ', 'notes', 'memo'] }, byField(shape.note)),
];
