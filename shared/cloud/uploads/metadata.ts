import { z } from 'zod';
import { Failure, type FieldError } from '../../kernel/failure.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import { id } from '../../kernel/schema.ts';
import { keptName, nameFault } from '../names.ts';

const HEADER = 'Upload-Metadata';

/** What the metadata of an upload says. Other pairs are for the client alone. */
export type UploadMetadata = {
  /** Empty where it becomes a version of a file. */
  file_name: string | null;
  folder_id: string | null;
  file_id: string | null;
  on_conflict: 'fail' | 'rename' | 'version';
  sha256: string | null;
  declared_type: string | null;
};

const PAIR = /^([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/;

/**
 * Reads the pairs of Upload-Metadata (tus 1.0.0, Creation): keys of ASCII, values in Base64, of UTF-8 here. Errors:
 * `validation_failed`.
 */
export function metadataPairs(header: string): Map<string, string> {
  const pairs = new Map<string, string>();
  if (header.trim() === '') return pairs;
  for (const pair of header.split(',')) {
    const [, key, base64 = ''] = PAIR.exec(pair.trim()) ?? [];
    if (key === undefined || base64.length % 4 !== 0) throw refused([fault(null, 'invalid_format', PAIRS)]);
    if (pairs.has(key)) throw refused([fault(key, 'repeated_parameter', ONCE)]);
    pairs.set(key, textOf(key, base64));
  }
  return pairs;
}

function textOf(key: string, base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw refused([fault(key, 'invalid_characters', UTF_8)]);
  }
}

/**
 * What the pairs ask for. An empty value is one that was left out, and `root` names the root. Errors: `validation_failed`.
 */
export function uploadMetadata(header: string): UploadMetadata {
  const pairs = metadataPairs(header);
  const faults: FieldError[] = [];
  const given = (key: string) => pairs.get(key) || null;
  function checked<Schema extends z.ZodType>(key: string, schema: Schema, message: Text) {
    const value = given(key);
    const result = value === null ? null : schema.safeParse(value);
    if (result && !result.success) faults.push(fault(key, 'invalid_value', message));
    return result?.success ? (result.data as z.output<Schema>) : null;
  }
  const file_id = checked('file_id', id('file'), fileIds);
  const folder_id = given('folder_id') === 'root' ? null : checked('folder_id', id('fold'), folderIds);
  const on_conflict = checked('on_conflict', RULES, rules) ?? 'fail';
  const sha256 = checked('sha256', z.string().regex(/^[0-9a-fA-F]{64}$/), hashes);
  const declared_type = checked(
    'filetype',
    z
      .string()
      .max(200)
      .regex(/^[\x20-\x7e]+$/),
    types,
  );
  const file_name = given('filename') === null ? null : keptName(given('filename')!);
  const wrong = file_name === null ? null : nameFault(file_name);
  if (wrong) faults.push(fault('filename', wrong.code, wrong.message));
  if (file_name === null && given('file_id') === null) faults.push(fault('filename', 'required', required));
  if (given('file_id') !== null && given('folder_id') !== null) {
    faults.push(fault('file_id', 'invalid_value', either));
  }
  if (faults.length > 0) throw refused(faults);
  return { file_name, folder_id, file_id, on_conflict, sha256: sha256?.toLowerCase() ?? null, declared_type };
}

const RULES = z.enum(['fail', 'rename', 'version']);

/** A folder or file that the metadata names is not there: 422. */
export function unknownInMetadata(key: string): Failure {
  const { message } = fault(key, 'unknown_reference', {
    en: 'names nothing that exists in this organization',
    ja: 'の指定はこの組織に存在しません',
  });
  return new Failure('unknown_reference', {
    detail: message,
    errors: [{ in: 'header', path: HEADER, code: 'unknown_reference', message }],
  });
}

function refused(errors: FieldError[]): Failure {
  return new Failure('validation_failed', { detail: errors[0]!.message, errors });
}

/** A fault of the header, or of one of its pairs. */
function fault(key: string | null, code: string, predicate: Text): FieldError {
  const subject = key === null ? HEADER : `${HEADER}: ${key}`;
  return { in: 'header', path: HEADER, code, message: joined([sameText(subject), predicate], ' ') };
}

const PAIRS: Text = {
  en: 'must hold pairs of a key and a value in Base64, separated by commas',
  ja: 'は「キー Base64の値」をカンマ区切りで指定してください',
};
const ONCE: Text = { en: 'must be given once', ja: 'が重複しています' };
const UTF_8: Text = { en: 'must be UTF-8 in Base64', ja: 'はUTF-8をBase64にした値で指定してください' };
const required: Text = { en: 'is required', ja: 'は必須です' };
const either: Text = {
  en: 'and folder_id exclude each other',
  ja: 'と folder_id は同時に指定できません',
};
const fileIds: Text = {
  en: 'must be an ID that begins with file_',
  ja: 'は file_ で始まるIDで指定してください',
};
const folderIds: Text = {
  en: 'must be an ID that begins with fold_, or root',
  ja: 'は fold_ で始まるID、または root で指定してください',
};
const rules: Text = {
  en: 'must be fail, rename or version',
  ja: 'は fail、rename、version のいずれかで指定してください',
};
const hashes: Text = {
  en: 'must be a SHA-256 in hexadecimal',
  ja: 'はSHA-256の16進表記で指定してください',
};
const types: Text = {
  en: 'must be a media type of 200 characters or fewer',
  ja: 'は200文字以内のメディアタイプで指定してください',
};
