import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { newSealKey } from '../../shared/sign/pki/authority.ts';
import { pemBlocks } from '../../shared/sign/pki/certificates.ts';
import { openSealKey, type SealKey } from '../../shared/sign/sealing/key.ts';

export type TestSealKey = { key: SealKey; settings: SealSettings /** PEM of the authority. */; ca: string };

/** A key as an embedded installation makes one, from that time on. Its folder ends with the file that calls it, outside hooks. */
export async function testSealKey(from = new Date()): Promise<TestSealKey> {
  const data_dir = mkdtempSync(join(tmpdir(), 'seal-key-'));
  after(() => rmSync(data_dir, { recursive: true, force: true }));
  const pem = await newSealKey(from);
  writeFileSync(join(data_dir, 'seal-key.pem'), pem, { mode: 0o600 });
  const settings: SealSettings = {
    signP12: undefined,
    signP12Password: '',
    signTsaUrl: undefined,
    signTsaRequired: true,
    dataDir: data_dir,
    embeddedDatabase: true,
  };
  const certificates = pemBlocks(pem).filter(({ label }) => label === 'CERTIFICATE');
  return { key: await openSealKey(settings, from), settings, ca: certificates[1]!.text };
}
