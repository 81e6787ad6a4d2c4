import { Failure, invalid } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ContentKind } from '../../platform/intake/content-kind.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import { type FileKind, fileKinds } from '../schema/words.ts';

const MIB = 1024 * 1024;

/** Bytes that a file of any field may have. */
export const MOST_BYTES = 25 * MIB;

const DEFAULT_MIB = 10;

/** What a field takes: the kinds of file, and how many bytes one may have. */
export type FileRules = { accept: readonly FileKind[]; limit: number };

/** What an upload can be told to be by its content, before its field is asked. */
export const takenContents: readonly ContentKind[] = [
  ...fileKinds.filter((kind) => kind !== 'csv' && kind !== 'txt'),
  'text',
];

/** A field as the text of a version holds it, of which nothing is wrong: it was published. */
type Field = { accept: FileKind[] | null; max_mib: number | null };

/**
 * What a field takes in a version of its form; in the newest one that has the field, where `version` is null: who has
 * credentials may answer any of them. One statement: the newest versions are looked into first, and none after the one that has
 * it. Errors: `validation_failed` at /field_id where none of them has it as a file.
 */
export async function rulesOfField(
  { connection, organization_id }: Reader,
  { form_id, version, field_id }: { form_id: string; version: number | null; field_id: string },
): Promise<FileRules> {
  const [field] = await connection.query<Field>(
    `SELECT field -> 'accept' AS accept, (field ->> 'max_mib')::float8 AS max_mib
       FROM (SELECT number, schema_json::json AS schema FROM forms_versions
              WHERE organization_id = $1 AND form_id = $2 AND ($3::integer IS NULL OR number = $3)
              ORDER BY number DESC) AS version,
            json_array_elements(schema -> 'pages') AS page, json_array_elements(page -> 'fields') AS field
      WHERE field ->> 'id' = $4 AND field ->> 'type' = 'file'
      LIMIT 1`,
    [organization_id, form_id, version, field_id],
  );
  if (!field) throw noFileField();
  return { accept: field.accept ?? fileKinds, limit: (field.max_mib ?? DEFAULT_MIB) * MIB };
}

function noFileField(): Failure {
  return invalid('/field_id', 'unknown_field', {
    en: 'field_id is no field for files of this form',
    ja: 'field_id はこのフォームのファイル用フィールドではありません',
  });
}

/**
 * The media type of an upload that its field takes; a text is CSV where the field takes that and the name says so, or where it
 * takes no other text. Errors: `unsupported_media_type`.
 */
export function acceptedType({ accept }: FileRules, file: UploadedFile, kind: ContentKind): string {
  const named: FileKind | ContentKind = kind === 'text' ? textKind(accept, file.file_name) : kind;
  if (!(accept as readonly string[]).includes(named)) {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: `This field takes ${accept.join(', ')}`,
        ja: `このフィールドで受け付けるファイル：${accept.join('、')}`,
      },
    });
  }
  return named === 'csv' ? 'text/csv' : file.content_type;
}

function textKind(accept: readonly FileKind[], file_name: string): FileKind {
  const isNamed = /\.csv$/i.test(file_name);
  return accept.includes('csv') && (isNamed || !accept.includes('txt')) ? 'csv' : 'txt';
}

/** Errors: `unsupported_media_type` unless all of a text is UTF-8 or Shift_JIS without NUL. */
export async function requireText(pieces: AsyncIterable<Buffer>): Promise<void> {
  let decoders = ['utf-8', 'shift_jis'].map((encoding) => new TextDecoder(encoding, { fatal: true }));
  for await (const piece of pieces) {
    decoders = piece.includes(0) ? [] : decoders.filter((decoder) => decodes(decoder, piece));
    if (decoders.length === 0) break;
  }
  if (decoders.some((decoder) => decodes(decoder, null))) return;
  throw new Failure('unsupported_media_type', {
    detail: {
      en: 'A text is taken in UTF-8 or Shift_JIS',
      ja: 'テキストファイルの文字コードはUTF-8かShift_JISだけを受け付けます',
    },
  });
}

/** Null is the end of the text, which must not stand within a letter. */
function decodes(decoder: TextDecoder, piece: Buffer | null): boolean {
  try {
    if (piece) decoder.decode(piece, { stream: true });
    else decoder.decode();
    return true;
  } catch {
    return false;
  }
}
