import { createHash, createHmac } from 'node:crypto';
import { isSameSecret } from '../../platform/access/same-secret.ts';

/** What a form token says: whoever has it may submit once. Times are milliseconds since 1970. */
export type FormToken = {
  /** The key of the purpose that signed it. */
  key_serial: number;
  form_id: string;
  /** The version that was current at its issue, which judges. */
  version: number;
  invitation_id: string | null;
  issued_at: number;
  nonce: string;
  /** When the first token of this nonce was issued. */
  first_issued_at: number;
  /** Whether a proof of work was asked for. */
  is_challenged: boolean;
};

/** The purpose whose key in the database signs form tokens. */
export const FORM_TOKEN_KEY = 'forms_token';

/** Milliseconds for which a form token can be submitted. */
export const FORM_TOKEN_LIFETIME = 24 * 60 * 60_000;

/** Text of a token: what it says and its signature, both in base64url. No token of ours is longer. */
const SHAPE = /^([A-Za-z0-9_-]{1,600})\.([A-Za-z0-9_-]{43})$/;

export function signedToken(token: FormToken, key: Buffer): string {
  const { key_serial, form_id, version, invitation_id, issued_at, nonce, first_issued_at, is_challenged } =
    token;
  const parts = [
    key_serial,
    form_id,
    version,
    invitation_id,
    issued_at,
    nonce,
    first_issued_at,
    is_challenged,
  ];
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${text}.${signatureOf(text, key)}`;
}

/** What a text says as a form token, before anybody knows whether it is one: null where it cannot be. */
export function readToken(text: string): FormToken | null {
  const [, said] = SHAPE.exec(text) ?? [];
  if (said === undefined) return null;
  const parts = partsOf(Buffer.from(said, 'base64url').toString());
  if (parts?.length !== 8) return null;
  const [key_serial, form_id, version, invitation_id, issued_at, nonce, first_issued_at, is_challenged] =
    parts;
  const numbers = [key_serial, version, issued_at, first_issued_at];
  if (!numbers.every((one) => Number.isSafeInteger(one))) return null;
  if ([key_serial, version].some((one) => Math.abs(one as number) > MOST_INTEGER)) return null;
  if (![form_id, nonce].every((one) => typeof one === 'string' && NAME.test(one))) return null;
  if (invitation_id !== null && !(typeof invitation_id === 'string' && NAME.test(invitation_id))) return null;
  if (typeof is_challenged !== 'boolean') return null;
  return {
    key_serial,
    form_id,
    version,
    invitation_id,
    issued_at,
    nonce,
    first_issued_at,
    is_challenged,
  } as FormToken;
}

/** Of IDs and nonces. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

const MOST_INTEGER = 2 ** 31 - 1;

function partsOf(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** Whether the key signed a text of a token. */
export function isSigned(text: string, key: Buffer): boolean {
  const [, said = '', signature = ''] = SHAPE.exec(text) ?? [];
  return isSameSecret(signature, signatureOf(said, key));
}

function signatureOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(`form token ${text}`).digest('base64url');
}

/** What is stored of a nonce: with a response, and with the files that were uploaded for it. */
export function nonceHash(nonce: string): string {
  return createHash('sha256').update(`nonce ${nonce}`).digest('base64url');
}

/**
 * The name of the input that people do not see and robots fill in. It has a hyphen, so no field of a form is named so, and
 * tells a browser nothing that it could fill in by itself.
 */
export function honeypotOf(nonce: string): string {
  return `more-${createHash('sha256').update(`honeypot ${nonce}`).digest('hex').slice(0, 10)}`;
}

/** Names that `honeypotOf` makes. */
export const HONEYPOT = /^more-[0-9a-f]{10}$/;
