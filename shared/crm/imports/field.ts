import { isId, type Prefix } from '../../kernel/id.ts';
import { MetadataChanges } from '../../kernel/own-keys.ts';
import { byField, expected, narrow, several } from '../../platform/imports/reading/cell.ts';
import type { ImportField, NormalForm } from '../../platform/imports/reading/field.ts';
import { TagInput } from '../tags/record.ts';

/** A column that a file of records may have. */
export type RecordField = ImportField & {
  /** The field of the record that it writes; several columns may name one company or owner in different ways. */
  target: string;
};

type Words = { ja: string; en: string; target?: string };

/** Declares a column; it writes the field of its own name unless `target` says another. */
export function field(name: string, words: Words, parse: RecordField['parse']): RecordField {
  const { ja, en, target = name } = words;
  return { name, label: { ja, en }, aliases: [], target, parse };
}

/** By the names of fields, what other programs call their columns; of several columns the word that stands first wins. */
export type Headers = Readonly<Record<string, readonly string[]>>;

/** The fields, known by those headers too; `forms` says what `normalize` makes of their cells. */
export function withHeaders(
  fields: readonly RecordField[],
  headers: Headers,
  forms: Readonly<Record<string, NormalForm>> = {},
): RecordField[] {
  return fields.map((each) => {
    const normalize = forms[each.name];
    return { ...each, aliases: headers[each.name] ?? [], ...(normalize && { normalize }) };
  });
}

/** Declares columns of a record's own fields: each is read by the schema of its field, after `clean` where given. */
export function ownFields<Fields extends Record<string, Parameters<typeof byField>[0]>>(fields: Fields) {
  return (
    name: keyof Fields & string,
    words: Words,
    ...read: Parameters<typeof byField> extends [unknown, ...infer Read] ? Read : never
  ): RecordField => field(name, words, byField(fields[name]!, ...read));
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
  const isOwn = (cell: string) => isId(cell.trim(), prefix);
  const parse = (cell: string) => ({ value: isOwn(cell) ? cell.trim() : undefined });
  return { ...field('id', { ja: 'レコードID', en: 'Record ID' }, parse), fits: (cells) => cells.some(isOwn) };
}

/** The columns that every kind of record has. */
export const commonFields = (owner_id: Parameters<typeof byField>[0]): RecordField[] => [
  field(
    'owner_email',
    { ja: '営業担当者メールアドレス', en: 'Owner e-mail', target: 'owner_id' },
    (cell) => ({ value: narrow(cell).toLowerCase() }),
  ),
  field('owner_name', { ja: '営業担当者', en: 'Owner', target: 'owner_id' }, (cell) => ({
    value: cell.trim(),
  })),
  field(
    'metadata',
    { ja: 'メタデータ', en: 'Metadata' },
    byField(MetadataChanges, (cell) => jsonOf(cell), expected.json),
  ),
  field('owner_id', { ja: '担当者ID', en: 'Owner ID' }, byField(owner_id)),
  field('tags', { ja: 'タグ', en: 'Tags' }, each(byField(TagInput.shape.name))),
];

/** A cell in JSON; undefined where it is none. */
function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
