import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { keyOfSerial } from '../../platform/links/keys.ts';
import { FORM_TOKEN_KEY, FORM_TOKEN_LIFETIME, type FormToken, isSigned, readToken } from './token.ts';

/** What a text says as a form token that we signed, of whatever age; null for any other text. */
export async function signedFormToken(reader: Reader, text: string): Promise<FormToken | null> {
  const token = readToken(text);
  if (!token) return null;
  const key = await keyOfSerial(reader, FORM_TOKEN_KEY, token.key_serial);
  return key && isSigned(text, key) ? token : null;
}

/** The form token of a form that can be submitted still. Errors: `form_token_invalid`, `form_token_expired`. */
export async function formToken(reader: Reader, form_id: string, text: string): Promise<FormToken> {
  return requireFormToken(await signedFormToken(reader, text), form_id, reader.now);
}

/** The same of one that was read. Errors: `form_token_invalid`, `form_token_expired`. */
export function requireFormToken(token: FormToken | null, form_id: string, now: Date): FormToken {
  if (token?.form_id !== form_id) throw new Failure('form_token_invalid');
  if (now.getTime() >= token.issued_at + FORM_TOKEN_LIFETIME) throw new Failure('form_token_expired');
  return token;
}
