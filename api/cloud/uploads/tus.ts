import { MOST_FILE_BYTES } from '../../../shared/cloud/files/record.ts';
import type { UploadRow } from '../../../shared/cloud/uploads/record.ts';
import { Failure, type FieldError } from '../../../shared/kernel/failure.ts';
import { joined, sameText, type Text } from '../../../shared/kernel/language.ts';
import { Answer, type HeaderWords } from '../../http/declaration.ts';
import type { Transfer } from '../../http/files/declarations.ts';

/** The version of the protocol that is spoken (https://tus.io/protocols/resumable-upload, 1.0.0). */
const VERSION = '1.0.0';

/** The media type of a piece. */
export const PIECE = 'application/offset+octet-stream';

/** What OPTIONS tells of the service. */
export const ABILITIES = {
  'Tus-Resumable': VERSION,
  'Tus-Version': VERSION,
  'Tus-Extension': 'creation,creation-with-upload,expiration,termination',
  'Tus-Max-Size': String(MOST_FILE_BYTES),
};

/** The headers of the protocol, as the reference tells them. */
export const words = {
  'Tus-Resumable': { description: 'The version of tus: 412 without it.', example: VERSION },
  'Tus-Version': { description: 'The versions of tus that are spoken.', example: VERSION },
  'Tus-Extension': { description: 'The extensions of tus.', example: ABILITIES['Tus-Extension'] },
  'Tus-Max-Size': { description: 'Bytes that a file may have.', example: ABILITIES['Tus-Max-Size'] },
  'X-HTTP-Method-Override': {
    description: 'The method that is meant: `PATCH`, `HEAD` or `DELETE`.',
    example: 'PATCH',
  },
  'Upload-Length': {
    description: 'Bytes of the whole file; required, 0 completes at once.',
    example: '48213',
  },
  'Upload-Offset': { description: 'Bytes that have arrived, where the piece begins.', example: '0' },
  'Upload-Metadata': {
    description:
      'Pairs of a key and a value in Base64: `filename`; `folder_id` (the root unless said) or `file_id` (a new version of that file); `on_conflict` (`fail` unless said, `rename`, `version`); `sha256` in hexadecimal; `filetype`. Other keys are ignored and given back by HEAD.',
    example: 'filename 6KaL56mN5pu4LnBkZg==,on_conflict cmVuYW1l',
  },
  'Upload-Expires': {
    description: 'When the bytes go if no more come.',
    example: 'Thu, 02 Apr 2026 00:30:00 GMT',
  },
  'Cloud-File-Id': {
    description: 'The file that came of it, once it is completed.',
    example: 'file_01kaj2n5w5fq8b4m0g3v7x9rtc',
  },
  Location: {
    description: 'Where the upload goes on.',
    example: '/api/v1/cloud/uploads/upl_01kaj2n5w5fq8b4m0g3v7x9rtc',
  },
} satisfies Record<string, HeaderWords>;

/** Some of those headers by their names. */
export function headers(...names: (keyof typeof words)[]): Record<string, HeaderWords> {
  return Object.fromEntries(names.map((name) => [name, words[name]]));
}

/** Answers within the protocol: its version stands in each answer, refusals too. Errors: `tus_version`. */
export async function speaking(
  { heard }: Transfer,
  handle: () => Promise<Answer<null>>,
): Promise<Answer<null>> {
  try {
    if (heard['Tus-Resumable'] !== VERSION) {
      throw new Failure('tus_version', { headers: { 'Tus-Version': VERSION } });
    }
    const { status, body, headers } = await handle();
    return new Answer(status, body, { 'Tus-Resumable': VERSION, ...headers });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const headers = { 'Tus-Resumable': VERSION, ...error.details.headers };
    throw new Failure(error.code, { ...error.details, headers, cause: error });
  }
}

/** The bytes that the whole file will have. Errors: `validation_failed`, `body_too_large`. */
export function lengthOf({ heard }: Transfer): number {
  const length = numberOf('Upload-Length', heard['Upload-Length']);
  if (length <= MOST_FILE_BYTES) return length;
  throw new Failure('body_too_large', {
    detail: { en: 'A file may have 5 GiB', ja: 'ファイルの上限は5 GiBです' },
    headers: { 'Tus-Max-Size': ABILITIES['Tus-Max-Size'] },
  });
}

/** Where the piece begins. Errors: `validation_failed`. */
export function offsetOf({ heard }: Transfer): number {
  return numberOf('Upload-Offset', heard['Upload-Offset']);
}

function numberOf(header: string, text: string | null | undefined): number {
  if (text !== null && text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw faultOf(header, text, 'invalid_format', {
    en: 'must be a whole number',
    ja: 'は整数で指定してください',
  });
}

const METHODS = ['HEAD', 'PATCH', 'DELETE'] as const;

/** The method that a POST stands for. Errors: `validation_failed`. */
export function methodMeant({ heard }: Transfer): (typeof METHODS)[number] {
  const header = 'X-HTTP-Method-Override';
  const method = METHODS.find((each) => each === heard[header]);
  if (method) return method;
  throw faultOf(header, heard[header], 'invalid_value', {
    en: `must be ${METHODS.join(', ')}`,
    ja: `は ${METHODS.join('、')} のいずれかで指定してください`,
  });
}

/** A header that is not there, or does not say what it must. */
function faultOf(header: string, text: string | null | undefined, code: string, wrong: Text): Failure {
  const predicate: Text = text ? wrong : { en: 'is required', ja: 'は必須です' };
  const message = joined([sameText(header), predicate], ' ');
  const fault: FieldError = { in: 'header', path: header, code: text ? code : 'required', message };
  return new Failure('validation_failed', { detail: message, errors: [fault] });
}

/** Sees that a piece fits behind what has arrived. Errors: `body_too_large`. */
export function requireFit({ body }: Transfer, at: number, size: number): void {
  if (at + (body?.length ?? 0) <= size) return;
  throw new Failure('body_too_large', {
    detail: {
      en: `The piece ends at byte ${at + body!.length!}; the upload has ${size}`,
      ja: `この本文は${at + body!.length!}バイト目まであり、アップロードの長さ${size}バイトを超えます`,
    },
  });
}

/** What is told of an upload after each piece. */
export function progressOf(row: UploadRow): Record<string, string> {
  const { status, received_bytes, expires_at, result_file_id } = row;
  return {
    'Upload-Offset': String(received_bytes),
    ...(status === 'receiving' && { 'Upload-Expires': new Date(expires_at).toUTCString() }),
    ...(result_file_id && { 'Cloud-File-Id': result_file_id }),
  };
}
