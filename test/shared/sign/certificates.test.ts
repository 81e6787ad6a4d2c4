import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Integer, Utf8String } from 'asn1js';
import { AttributeTypeAndValue, Certificate } from 'pkijs';
import { subjectOf } from '../../../shared/sign/pki/certificates.ts';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
]);

/** A certificate as anybody makes one for themselves, with what they like as its subject. */
async function certificateOf(type: string, name: string): Promise<Uint8Array> {
  const certificate = new Certificate();
  certificate.serialNumber = new Integer({ value: 1 });
  for (const party of [certificate.subject, certificate.issuer])
    party.typesAndValues.push(new AttributeTypeAndValue({ type, value: new Utf8String({ value: name }) }));
  certificate.notBefore.value = new Date('2026-01-01T00:00:00.000Z');
  certificate.notAfter.value = new Date('2036-01-01T00:00:00.000Z');
  await certificate.subjectPublicKeyInfo.importKey(pair.publicKey);
  await certificate.sign(pair.privateKey, 'SHA-256');
  return new Uint8Array(certificate.toSchema(true).toBER());
}

describe('the subject of a certificate, which strangers write,', () => {
  for (const [what, type, name, told] of [
    ['is its common name', COMMON_NAME, '佐藤 花子', '佐藤 花子'],
    ['is the whole without one', ORGANIZATION, '株式会社みなと', 'O=株式会社みなと'],
    ['has 200 letters at most', COMMON_NAME, 'a'.repeat(100_000), `${'a'.repeat(200)}…`],
    ['has them also without a common name', ORGANIZATION, 'b'.repeat(100_000), `O=${'b'.repeat(198)}…`],
    ['is not cut within a letter', COMMON_NAME, `a${'𠮷'.repeat(150)}`, `a${'𠮷'.repeat(99)}…`],
    ['turns no line', COMMON_NAME, '\u202elaes\u202c \u2066x\u2069', 'laes x'],
    ['has no line of its own', COMMON_NAME, 'x\nCN=seal', 'x\\0ACN=seal'],
  ] as const) {
    test(what, async () => assert.equal(subjectOf(await certificateOf(type, name)), told));
  }
});
