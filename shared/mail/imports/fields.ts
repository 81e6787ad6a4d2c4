import { externalId, MetadataChanges, MOST_METADATA } from '../../kernel/own-keys.ts';
import { emailOf, isLikeEmail } from '../../platform/imports/reading/email.ts';
import type { ImportField, Parsed } from '../../platform/imports/reading/field.ts';
import { issueCode } from '../../platform/imports/reading/issue-code.ts';
import { emailForm, wideKana } from '../../platform/imports/reading/normal-forms.ts';
import { isLikeAttributes, jsonOf, parseAttributes } from './attributes-cell.ts';
import { mailContactHeaders } from './headers.ts';

const LONGEST_NAME = 100;

function parseName(cell: string): Parsed {
  return cell.length > LONGEST_NAME ? { fault: 'too_long' } : { value: cell };
}

/** Both names of a person, from one cell; null where it has no such part. */
export type WholeName = { first_name: string | null; last_name: string | null };

const SPACES = /[\s\u3000]+/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * `山田 太郎` and `Taro Yamada` are divided at their space, in the order that `fullName` puts them together; a name
 * without one is kept whole as the last name, since nobody can tell where to divide it.
 */
function parseWholeName(cell: string): Parsed {
  const words = cell.split(SPACES);
  const isLastFirst = CJK.test(cell);
  const last_name = isLastFirst ? words[0]! : words.at(-1)!;
  const others = isLastFirst ? words.slice(1) : words.slice(0, -1);
  const first_name = others.length > 0 ? others.join(' ') : null;
  const isTooLong = last_name.length > LONGEST_NAME || (first_name?.length ?? 0) > LONGEST_NAME;
  return isTooLong ? { fault: 'too_long' } : { value: { first_name, last_name } satisfies WholeName };
}

const ExternalId = externalId();

function parseExternalId(cell: string): Parsed {
  const result = ExternalId.safeParse(cell);
  return result.success ? { value: result.data } : { fault: issueCode(result.error.issues[0]!) };
}

/** Entries of metadata in one cell, as `{"erp_id": "4711", "old": null}`: they are merged, and null removes one. */
function parseMetadata(cell: string): Parsed {
  const value = jsonOf(cell);
  if (value === undefined) return { fault: 'invalid_json' };
  const result = MetadataChanges.safeParse(value);
  if (!result.success) {
    const code = issueCode(result.error.issues[0]!);
    return { fault: code === 'invalid_type' ? 'invalid_object' : code };
  }
  return Object.keys(result.data).length > MOST_METADATA ? { fault: 'too_many' } : { value: result.data };
}

/** What the columns of a file of mail contacts can be mapped to. */
export const mailContactFields: readonly ImportField[] = [
  {
    name: 'email',
    label: { ja: 'メールアドレス', en: 'E-mail' },
    aliases: mailContactHeaders.email,
    normalize: emailForm,
    required: true,
    parse: emailOf,
    recognises: isLikeEmail,
  },
  {
    name: 'external_id',
    label: { ja: '外部ID', en: 'External ID' },
    aliases: mailContactHeaders.external_id,
    parse: parseExternalId,
  },
  {
    name: 'last_name',
    label: { ja: '姓', en: 'Last name' },
    aliases: mailContactHeaders.last_name,
    normalize: wideKana,
    parse: parseName,
  },
  {
    name: 'first_name',
    label: { ja: '名', en: 'First name' },
    aliases: mailContactHeaders.first_name,
    normalize: wideKana,
    parse: parseName,
  },
  {
    name: 'full_name',
    label: { ja: '氏名', en: 'Full name' },
    aliases: mailContactHeaders.full_name,
    normalize: wideKana,
    parse: parseWholeName,
  },
  {
    name: 'attributes',
    label: { ja: '属性（JSON）', en: 'Attributes (JSON)' },
    aliases: mailContactHeaders.attributes,
    is_long: true,
    fits: (cells) => cells.every(isLikeAttributes),
    parse: parseAttributes,
  },
  {
    name: 'metadata',
    label: { ja: 'メタデータ', en: 'Metadata' },
    aliases: mailContactHeaders.metadata,
    is_long: true,
    parse: parseMetadata,
  },
];
