import { Failure } from '../../../shared/kernel/failure.ts';
import { joined, sameText } from '../../../shared/kernel/language.ts';

const HEADER = 'Repr-Digest';

/** Base64 of 32 bytes, between the colons of a byte sequence (RFC 8941, 3.3.5). */
const SHA_256 = /^:([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=):$/;

/**
 * The SHA-256, in hexadecimal, that the header Repr-Digest announces (RFC 9530); null where it announces none. Digests of
 * other algorithms are ignored. Of several members with one name the last counts, as in every dictionary of RFC 8941.
 * Errors: `validation_failed`.
 */
export function announcedSha256(header: string | undefined): string | null {
  if (header === undefined) return null;
  let announced: string | null = null;
  for (const member of header.split(',')) {
    const [, name, value] = /^\s*([a-z*][a-z0-9_.*-]*)=(.*?)\s*$/.exec(member) ?? [];
    if (name === undefined || value === undefined) throw malformed();
    if (name !== 'sha-256') continue;
    const [, base64] = SHA_256.exec(value) ?? [];
    if (base64 === undefined) throw malformed();
    announced = Buffer.from(base64, 'base64').toString('hex');
  }
  return announced;
}

/** Errors: `checksum_mismatch` when other bytes arrived than were announced. Both hashes are in hexadecimal. */
export function requireSha256(announced: string | null, sha256: string): void {
  if (announced === null || announced.toLowerCase() === sha256) return;
  throw new Failure('checksum_mismatch', {
    detail: {
      en: `SHA-256 of what arrived is ${sha256}, not ${announced}`,
      ja: `受信した内容のSHA-256は ${sha256} で、指定された ${announced} と一致しません`,
    },
  });
}

function malformed(): Failure {
  const message = {
    en: 'must hold a digest as RFC 9530 says: sha-256=:...:',
    ja: 'はRFC 9530の形式（sha-256=:...:）で指定してください',
  };
  return new Failure('validation_failed', {
    detail: joined([sameText(HEADER), message], ' '),
    errors: [{ in: 'header', path: HEADER, code: 'invalid_format', message }],
  });
}
