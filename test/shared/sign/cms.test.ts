import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sha256Of } from '../../../shared/sign/pki/certificates.ts';
import { checkCms, readCms } from '../../../shared/sign/pki/cms.ts';

const folder = mkdtempSync(join(tmpdir(), 'cms-'));
const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
const content = Buffer.from('an agreement');

before(() => {
  writeFileSync(join(folder, 'content'), content);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem'];
  openssl('req', '-x509', ...key, '-out', 'own.pem', '-days', '30', '-subj', '/CN=Somebody');
});
after(() => rmSync(folder, { recursive: true, force: true }));

function signed(...words: string[]): Buffer {
  const signer = ['-signer', 'own.pem', '-inkey', 'key.pem', '-outform', 'DER', '-out', 'signature'];
  openssl('cms', '-sign', '-binary', '-in', 'content', '-md', 'sha256', ...signer, ...words);
  return readFileSync(join(folder, 'signature'));
}

describe('a foreign signature with an RSA key', () => {
  const pss = ['-keyopt', 'rsa_padding_mode:pss'];
  for (const [padding, words] of [
    ['PKCS #1 v1.5', []],
    ['PSS, with as much salt as the digest is long', [...pss, '-keyopt', 'rsa_pss_saltlen:digest']],
    ['PSS, with as much salt as there is room for', [...pss, '-keyopt', 'rsa_pss_saltlen:max']],
  ] as const) {
    it(`holds with ${padding}, and not with a byte changed`, () => {
      const der = signed(...words);
      const { is_intact, digest } = checkCms(readCms(der));
      assert.deepEqual([is_intact, digest], [true, sha256Of(content)]);
      der[der.length - 10]! ^= 1;
      assert.equal(checkCms(readCms(der)).is_intact, false);
    });
  }
});
