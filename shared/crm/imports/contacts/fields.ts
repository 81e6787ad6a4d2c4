import { isLastFirst } from '../../../kernel/full-name.ts';
import { byField, narrow } from '../../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../../platform/imports/reading/field.ts';
import { emailForm, phoneForm, wideKana } from '../../../platform/imports/reading/normal-forms.ts';
import { ContactPatch } from '../../contacts/record.ts';
import { companyFieldsOf } from '../company-columns.ts';
import { commonFields, field, idField, ownFields, type RecordField, withHeaders } from '../field.ts';
import { contactHeaders } from './headers.ts';

const shape = ContactPatch.shape;
const own = ownFields(shape);

/** What a column of a file of contacts can be. */
export const contactFields: readonly RecordField[] = withHeaders(
  [
    idField('cont'),
    own('external_id', {
      ja: '外部ID',
      en: 'External ID',
    }),
    own('last_name', {
      ja: '姓',
      en: 'Last name',
    }),
    own('first_name', {
      ja: '名',
      en: 'First name',
    }),
    field(
      'full_name',
      {
        ja: '氏名',
        en: 'Full name',
        target: 'last_name',
      },
      wholeName,
    ),
    own('last_name_kana', {
      ja: 'セイ',
      en: 'Last name (kana)',
    }),
    own('first_name_kana', {
      ja: 'メイ',
      en: 'First name (kana)',
    }),
    own('email', { ja: 'メールアドレス', en: 'E-mail' }, narrow),
    own('phone', {
      ja: '電話番号',
      en: 'Phone',
    }),
    own('position', { ja: '役職', en: 'Position' }),
    ...companyFieldsOf(shape.company_id),
    ...commonFields(shape.owner_id),
    own('note', { ja: '備考', en: 'Note' }),
  ],
  contactHeaders,
  {
    last_name: wideKana,
    first_name: wideKana,
    full_name: wideKana,
    last_name_kana: wideKana,
    first_name_kana: wideKana,
    email: emailForm,
    phone: phoneForm,
    company_name: wideKana,
  },
);

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
