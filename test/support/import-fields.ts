import { emailOf, isLikeEmail } from '../../shared/platform/imports/reading/email.ts';
import type { ImportField } from '../../shared/platform/imports/reading/field.ts';

function nameField(name: string, ja: string, ...aliases: string[]): ImportField {
  return { name, label: { ja, en: name.replaceAll('_', ' ') }, aliases, parse: (cell) => ({ value: cell }) };
}

/** Fields like those of a contact, for tests of reading alone. */
export const contactLikeFields: ImportField[] = [
  {
    name: 'email',
    label: { ja: 'メールアドレス', en: 'E-mail' },
    aliases: ['メール', 'mail', 'mail address'],
    required: true,
    parse: emailOf,
    recognises: isLikeEmail,
  },
  nameField('last_name', '姓', 'surname'),
  nameField('first_name', '名'),
  nameField('full_name', '氏名', 'お名前', 'name'),
  nameField('company', '会社名', '会社'),
];
