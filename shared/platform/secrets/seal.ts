import { createCipheriv, createDecipheriv } from 'node:crypto';
import { purposeKey, type SecretKey, type SecretKeys } from './keys.ts';

/** Whose secret it is: a value that is moved to another row does not open there. */
export type SecretOf = { purpose: string; organization_id: string; record_id: string };

/** A sealed value as it is stored: the initialization vector, the tag, the text. */
export type Sealed = { key_id: string; sealed: Buffer };

const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D: 96 random bits, for far less than 2^32 values under a key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with AES-256-GCM under the key of its purpose. `iv` is 12 random bytes, which must never come twice. */
export function seal(key: SecretKey, of: SecretOf, text: string, iv: Uint8Array): Sealed {
  if (iv.length !== IV_BYTES) throw new Error(`A secret is sealed with ${IV_BYTES} random bytes`);
  const cipher = createCipheriv(CIPHER, purposeKey(key, of.purpose), iv).setAAD(identityOf(of));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { key_id: key.id, sealed: Buffer.concat([iv, cipher.getAuthTag(), body]) };
}

/** The text of a sealed value; null for what no key of this process opens, or what is not the value of this row. */
export function unseal(
  { present, earlier }: SecretKeys,
  of: SecretOf,
  { key_id, sealed }: Sealed,
): string | null {
  const key = [present, ...earlier].find((each) => each?.id === key_id);
  if (!key || sealed.length < IV_BYTES + TAG_BYTES) return null;
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, purposeKey(key, of.purpose), iv, { authTagLength: TAG_BYTES })
    .setAAD(identityOf(of))
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const body = sealed.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function identityOf({ purpose, organization_id, record_id }: SecretOf): Buffer {
  return Buffer.from(JSON.stringify([purpose, organization_id, record_id]), 'utf8');
}
