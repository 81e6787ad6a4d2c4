import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { announcedSha256, requireSha256 } from '../../../../api/http/files/digest.ts';
import { Failure } from '../../../../shared/kernel/failure.ts';

const hex = createHash('sha256').update('hello').digest('hex');
const base64 = Buffer.from(hex, 'hex').toString('base64');
const other = createHash('sha256').update('world').digest('base64');

describe('Repr-Digest', () => {
  for (const [header, expected] of [
    [undefined, null],
    [`sha-256=:${base64}:`, hex],
    [`  sha-256=:${base64}:  `, hex],
    [`sha-512=:AAAA:, sha-256=:${base64}:`, hex],
    [`sha-256=:${base64}:,unixsum=:AAA=:`, hex],
    [`sha-256=:${other}:, sha-256=:${base64}:`, hex],
    ['sha-512=:AAAA:', null],
    ['md5=:whatever', null],
  ] as const) {
    test(`${header}: ${expected}`, () => assert.equal(announcedSha256(header), expected));
  }

  for (const header of [
    '',
    'sha-256',
    'sha-256=',
    `sha-256=${base64}`,
    'sha-256=::',
    'sha-256=:AAAA:',
    `sha-256=:${base64.slice(0, -1)}:`,
    `sha-256=:${base64.slice(0, 42)}B=:`,
    `sha-256=:${hex}:`,
    `sha-256=:${base64}:;a=1`,
    `SHA-256=:${base64}:`,
    `sha-256=:${base64}:,`,
  ]) {
    test(`${JSON.stringify(header)} is none`, () => assert.throws(() => announcedSha256(header), isInvalid));
  }
});

test('other bytes than were announced are refused', () => {
  requireSha256(null, hex);
  requireSha256(hex, hex);
  requireSha256(hex.toUpperCase(), hex);
  const announced = Buffer.from(other, 'base64').toString('hex');
  assert.throws(
    () => requireSha256(announced, hex),
    (error) => error instanceof Failure && error.code === 'checksum_mismatch',
  );
});

function isInvalid(error: unknown): boolean {
  const isOfHeader = error instanceof Failure && error.details.errors?.[0]?.in === 'header';
  return isOfHeader && error.code === 'validation_failed';
}
