import { isLastFirst } from '../../../kernel/full-name.ts';
import { byField, narrow } from '../../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../../platform/imports/reading/field.ts';
import { ContactPatch } from '../../contacts/record.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, field, idField, ownFields, type RecordField } from '../field.ts';

const shape = ContactPatch.shape;
const own = ownFields(shape);

/** What a column of a file of contacts can be. */
export const contactFields: readonly RecordField[] = [
  idField('cont'),
  own('external_id', {
    ja: '外部ID',
    en: 'External ID',
    aliases: ['顧客コード', '顧客番号', 'customer id', 'contact id'],
  }),
  own('last_name', {
    ja: '姓',
    en: 'Last name',
    aliases: ['苗字', '名字', 'family name', 'surname', '氏名（姓）', '名前（姓）'],
  }),
  own('first_name', {
    ja: '名',
    en: 'First name',
    aliases: ['given name', '下の名前', '氏名（名）', '名前（名）'],
  }),
  field(
    'full_name',
    {
      ja: '氏名',
      en: 'Full name',
      aliases: ['名前', 'お名前', 'ご氏名', '姓名', 'フルネーム', 'name', 'contact name'],
      target: 'last_name',
    },
    wholeName,
  ),
  own('last_name_kana', {
    ja: 'セイ',
    en: 'Last name (kana)',
    aliases: ['姓カナ', '姓（カナ）', '姓フリガナ', 'せい', '姓（かな）'],
  }),
  own('first_name_kana', {
    ja: 'メイ',
    en: 'First name (kana)',
    aliases: ['名カナ', '名（カナ）', '名フリガナ', 'めい', '名（かな）'],
  }),
  own(
    'email',
    { ja: 'メールアドレス', en: 'E-mail', aliases: ['メール', 'mail', 'email address', 'Eメール'] },
    narrow,
  ),
  own('phone', {
    ja: '電話番号',
    en: 'Phone',
    aliases: ['電話', 'TEL', '携帯電話', '携帯', 'telephone', 'mobile', 'phone number'],
  }),
  own('position', { ja: '役職', en: 'Position', aliases: ['肩書', '肩書き', 'title', 'job title'] }),
  ...companyFieldsOf(shape.company_id),
  ...commonFields(shape.owner_id),
  own('note', { ja: '備考', en: 'Note', aliases: ['メモ', 'notes', 'memo'] }),
];

/**
 * `山田 太郎`, `Taro Yamada`: the two names of a person. Without a space nobody can tell where one ends; that is no
 * value at all, which only matters where the names do not stand in cells of their own.
 */
function wholeName(cell: string): Parsed {
  const words = cell.trim().split(/\s+/u);
  if (words.length < 2) return { value: {} };
  const isFirst = isLastFirst(cell);
  const last = byField(shape.last_name)(isFirst ? words[0]! : words.at(-1)!);
  const first = byField(shape.first_name)((isFirst ? words.slice(1) : words.slice(0, -1)).join(' '));
  if ('fault' in last) return last;
  return 'fault' in first ? first : { value: { last_name: last.value, first_name: first.value } };
}
