import { isId, type Prefix } from '../../kernel/id.ts';
import { MetadataChanges } from '../../kernel/own-keys.ts';
import { byField, narrow, several } from '../../platform/imports/reading/cell.ts';
import type { ImportField } from '../../platform/imports/reading/field.ts';
import { TagInput } from '../tags/record.ts';

/** A column that a file of records may have. */
export type RecordField = ImportField & {
  /** The field of the record that it writes; several columns may name one company or owner in different ways. */
  target: string;
};

type Words = {
  ja: string;
  en: string;
  aliases?: readonly string[];
  target?: string;
};

/** Declares a column; it writes the field of its own name unless `target` says another. */
export function field(name: string, words: Words, parse: RecordField['parse']): RecordField {
  const { ja, en, aliases = [], target = name } = words;
  return { name, label: { ja, en }, aliases: [name, ja, en, ...aliases], target, parse };
}

/** Declares columns of a record's own fields: each is read by the schema of its field, after `clean` where given. */
export function ownFields<Fields extends Record<string, Parameters<typeof byField>[0]>>(fields: Fields) {
  return (name: keyof Fields & string, words: Words, clean?: Parameters<typeof byField>[1]): RecordField =>
    field(name, words, byField(fields[name]!, clean));
}

/** A cell with several values, each judged by `parse`. */
export function each(parse: RecordField['parse']): RecordField['parse'] {
  return (cell) => {
    const values: unknown[] = [];
    for (const one of several(cell)) {
      const parsed = parse(one);
      if ('fault' in parsed) return parsed;
      values.push(parsed.value);
    }
    return { value: values };
  };
}

/**
 * The ID that an export wrote. It counts where it is known, before `match_by`; what is not an ID of this service, as in
 * the files of others, says nothing.
 */
export function idField(prefix: Prefix): RecordField {
  return field('id', { ja: 'レコードID', en: 'Record ID' }, (cell) => ({
    value: isId(cell.trim(), prefix) ? cell.trim() : undefined,
  }));
}

/** The columns that every kind of record has. */
export const commonFields = (owner_id: Parameters<typeof byField>[0]): RecordField[] => [
  field(
    'owner_email',
    {
      ja: '担当者メールアドレス',
      en: 'Owner e-mail',
      aliases: ['担当者メール', '担当者のメールアドレス', 'owner email'],
      target: 'owner_id',
    },
    (cell) => ({ value: narrow(cell).toLowerCase() }),
  ),
  field(
    'owner_name',
    {
      ja: '営業担当者',
      en: 'Owner',
      aliases: [
        '営業担当',
        '自社担当者',
        '社内担当者',
        'owner name',
        'contact owner',
        'company owner',
        'deal owner',
      ],
      target: 'owner_id',
    },
    (cell) => ({ value: cell.trim() }),
  ),
  field(
    'metadata',
    { ja: 'メタデータ', en: 'Metadata' },
    byField(MetadataChanges, (cell) => jsonOf(cell)),
  ),
  field('owner_id', { ja: '担当者ID', en: 'Owner ID' }, byField(owner_id)),
  field(
    'tags',
    { ja: 'タグ', en: 'Tags', aliases: ['tag', 'ラベル', 'labels'] },
    each(byField(TagInput.shape.name)),
  ),
];

/** A cell in JSON; undefined where it is none. */
function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
