import { createHash } from 'node:crypto';
import { invalid } from '../../kernel/failure.ts';

/** As long as the text of a schema may be, in bytes of UTF-8: 256 KiB. */
const MOST_BYTES = 256 * 1024;

/** Sees that a text can be the working copy of a form. Errors: `validation_failed` at /schema_json. */
export function requireSchema(schema_json: string): void {
  if (Buffer.byteLength(schema_json) > MOST_BYTES) {
    throw invalid('/schema_json', 'too_long', {
      en: 'schema_json must not be longer than 256 KiB',
      ja: 'schema_json は256 KiB以下にしてください',
    });
  }
  if (!isJson(schema_json)) {
    throw invalid('/schema_json', 'invalid_json', {
      en: 'schema_json must be JSON text',
      ja: 'schema_json はJSONのテキストで指定してください',
    });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The SHA-256 of the text of a schema, in hexadecimal: what a version is known by. */
export function sha256Of(schema_json: string): string {
  return createHash('sha256').update(schema_json).digest('hex');
}
