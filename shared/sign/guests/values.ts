import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { storedDocument } from '../documents/queries.ts';
import type { FieldRow, StoredDocument } from '../documents/rows.ts';
import { fileOfKind, shownValue } from '../documents/shown.ts';
import { faultOfValue, type ValueFault } from '../documents/value-faults.ts';
import type { FieldValue } from '../documents/values.ts';
import { problemOfValue } from '../pdf/problem.ts';
import { remadeValue } from '../values/images.ts';
import { type Guest, seenBy } from './seen.ts';
import { mayAct } from './standing.ts';

/** Values as a guest sent them, by the `id` or `key` of a field of theirs. */
export type SentValues = Readonly<Record<string, FieldValue | null>>;

/** Values as they are to be kept, by the field's ID, and what is wrong with others. */
export type JudgedValues = {
  values: ReadonlyMap<string, FieldValue | null>;
  /** What the sender called each field that was sent. */
  names: ReadonlyMap<string, string>;
  faults: readonly (ValueFault & { name: string })[];
};

/** Reads that hold a connection while they run alone. */
type Read = <T>(run: (reader: Reader) => Promise<T>) => Promise<T>;

/**
 * Judges the values that a guest sent, and makes their images anew, before the transaction that keeps them: fields do not change
 * any more once a document has been sent. Nothing is judged for who may not act now: the transaction refuses them, or answers a
 * repeated request. Errors: `not_found`.
 */
export async function judgeValues(read: Read, guest: Guest, sent: SentValues): Promise<JudgedValues> {
  const stored = await read(async (reader) => {
    const seen = await seenBy(reader, guest);
    return mayAct(seen, reader.now) ? storedDocument(reader, seen.document_id) : null;
  });
  if (!stored) return { values: new Map(), names: new Map(), faults: [] };
  const own = stored.fields.filter(({ signer_id }) => signer_id === guest.signer_id);
  const values = new Map<string, FieldValue | null>();
  const names = new Map<string, string>();
  const faults: (ValueFault & { name: string })[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const field = own.find(({ id, key }) => id === name || key === name);
    if (!field) faults.push({ name, ...UNKNOWN });
    else if (names.has(field.id)) faults.push({ name, ...TWICE });
    else {
      names.set(field.id, name);
      const judged = await judgedValue(field, value, stored);
      if ('fault' in judged) faults.push({ name, ...judged.fault });
      else if (judged.value !== undefined) values.set(field.id, judged.value);
    }
  }
  return { values, names, faults };
}

/** One value: as it is to be kept, `undefined` where it stays as it is, or what is wrong with it. */
async function judgedValue(
  field: FieldRow,
  value: FieldValue | null,
  stored: StoredDocument,
): Promise<{ value: FieldValue | null | undefined } | { fault: ValueFault }> {
  if (field.read_only)
    return isSameJson(value, shownValue(field)) ? { value: undefined } : { fault: READ_ONLY };
  if (value === null) return { value };
  const fault = faultOfValue(field, value);
  if (fault) return { fault };
  const remade = await remadeValue(value);
  if (remade === null) return { fault: BROKEN_IMAGE };
  const page = fileOfKind(stored.files, 'original')!.geometry![field.page - 1]!;
  const problem = problemOfValue(field, page, remade);
  return problem === null ? { value: remade } : { fault: PROBLEMS[problem] };
}

/** Refuses values at their places. `placeOf` names the place of a field in the body. Errors: `validation_failed`. */
export function refuseValues(faults: JudgedValues['faults'], placeOf: (name: string) => string): void {
  if (faults.length === 0) return;
  throw invalidAll(faults.map(({ name, code, message }) => faultAt(placeOf(name), code, message)));
}

/** Characters that the values of one signer may have together, as JSON: as many as one body brings. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Bounds what a signer fills in altogether. Errors: `validation_failed` at the place. */
export function requireRoom(own: readonly Pick<FieldRow, 'value'>[], path: string): void {
  let characters = 0;
  for (const { value } of own) characters += value === null ? 0 : JSON.stringify(value).length;
  if (characters <= MOST_CHARACTERS) return;
  throw invalidAll([
    faultAt(path, 'too_large', {
      en: 'is too much with your other values: 8 MiB together',
      ja: 'は、ほかの入力と合わせて8 MiBを超えています',
    }),
  ]);
}

/** A fault at a place of the body. `predicate` follows the name of the place. */
export function faultAt(path: string, code: string, predicate: Text): FieldError {
  const name = sameText(path.slice(1).replaceAll('/', '.'));
  return { in: 'body', path, code, message: joined([name, predicate], ' ') };
}

const UNKNOWN: ValueFault = {
  code: 'unknown_field',
  message: { en: 'is no field of yours', ja: 'は、ご自身の入力欄ではありません' },
};

const TWICE: ValueFault = {
  code: 'duplicate',
  message: { en: 'is a field that was sent already', ja: 'の入力欄は重複しています' },
};

const READ_ONLY: ValueFault = {
  code: 'read_only',
  message: { en: 'cannot be changed', ja: 'は変更できません' },
};

const BROKEN_IMAGE: ValueFault = {
  code: 'broken_image',
  message: { en: 'is no whole image', ja: 'の画像が壊れているか、大きすぎます' },
};

const PROBLEMS: Record<'does_not_fit' | 'bad_characters', ValueFault> = {
  does_not_fit: {
    code: 'does_not_fit',
    message: { en: 'does not fit into its box; make it shorter', ja: 'は枠に収まりません。短くしてください' },
  },
  bad_characters: {
    code: 'bad_characters',
    message: { en: 'has characters that cannot be drawn', ja: 'に描画できない文字が含まれています' },
  },
};
