import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { newSealKey } from '../../shared/sign/pki/authority.ts';

/** The settings of a key that seals, as an installation with a database of its own has them: a PKCS #12 file made by openssl. */
export async function sealP12(): Promise<{ SIGN_P12: string; SIGN_P12_PASSWORD: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'seal-p12-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [pem, p12, password] = [join(folder, 'key.pem'), join(folder, 'seal.p12'), 'for tests'];
  writeFileSync(pem, await newSealKey(new Date()), { mode: 0o600 });
  execFileSync('openssl', ['pkcs12', '-export', '-in', pem, '-out', p12, '-passout', `pass:${password}`]);
  return { SIGN_P12: p12, SIGN_P12_PASSWORD: password };
}
