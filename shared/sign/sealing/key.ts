import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Failure } from '../../kernel/failure.ts';
import { StartupError, systemReason } from '../../kernel/startup-error.ts';
import type { SealSettings } from '../../platform/settings/settings.ts';
import { chainOf, pemBlocks, validityOf } from '../pki/certificates.ts';
import { keptSealKey } from './kept-key.ts';

/** What seals documents. Certificates are DER. */
export type SealKey = {
  key_type: 'RSA' | 'EC';
  certificate: Uint8Array;
  /** Of its issuers, the nearest first. */
  chain: readonly Uint8Array[];
  /** The signature of the SHA-256 of the data, as CMS has it: PKCS #1 v1.5, or ECDSA in DER. */
  sign(data: Uint8Array): Buffer;
};

/** Read once for a process: a new file in the place of the old one needs a new start. */
const read = new WeakMap<SealSettings, Promise<SealKey>>();

/**
 * The key that seals at that time. Errors: `seal_key_missing` where there is none, or none that can be opened;
 * `seal_key_expired` outside the validity of its certificate.
 */
export async function sealKeyOf(settings: SealSettings, now: Date): Promise<SealKey> {
  const reading = read.get(settings) ?? openSealKey(settings, now);
  read.set(settings, reading);
  const key = await reading.catch((cause) => {
    read.delete(settings);
    throw new Failure('seal_key_missing', { cause });
  });
  const { from, to } = validityOf(key.certificate);
  if (now < from || now > to) throw new Failure('seal_key_expired');
  return key;
}

/** Errors: those of `sealKeyOf`. */
export async function requireSealKey(settings: SealSettings, now: Date): Promise<void> {
  await sealKeyOf(settings, now);
}

/** Opens the key by the settings. Throws where there is none, with a message that has nothing of its content. */
export async function openSealKey(settings: SealSettings, now: Date): Promise<SealKey> {
  if (settings.signP12 !== undefined) return fromPkcs12(settings.signP12, settings.signP12Password);
  if (!settings.embeddedDatabase) throw new Error('SIGN_P12 is not set');
  const text = await keptSealKey(settings.dataDir, async () => {
    const { newSealKey } = await import('../pki/authority.ts');
    return newSealKey(now);
  });
  const blocks = pemBlocks(text);
  const key = blocks.find(({ label }) => label === 'PRIVATE KEY');
  const certificates = blocks
    .filter(({ label }) => label === 'CERTIFICATE')
    .map((block) => new Uint8Array(new X509Certificate(block.text).raw));
  if (!key) throw new Error('The file of the key for seals has no key');
  return sealKey(createPrivateKey(key.text), certificates);
}

const UNOPENED =
  'SIGN_P12 cannot be opened: SIGN_P12_PASSWORD is wrong, or it is no PKCS #12 file as OpenSSL 3 writes it (AES)';

async function fromPkcs12(path: string, password: string): Promise<SealKey> {
  const file = await readFile(path).catch((cause) => {
    throw new StartupError(`SIGN_P12 cannot be read: ${systemReason(cause)}`, { cause });
  });
  // What has no PKCS #12 file need not load what reads one.
  const { openPkcs12 } = await import('../pki/pkcs12.ts');
  const { key, certificates } = await openPkcs12(file, password).catch((cause) => {
    throw new StartupError(UNOPENED, { cause });
  });
  if (!key) throw new StartupError('SIGN_P12 has no key: export it with its certificate');
  return sealKey(key, certificates);
}

function sealKey(key: KeyObject, certificates: readonly Uint8Array[]): SealKey {
  const type = key.asymmetricKeyType;
  if (type !== 'rsa' && type !== 'ec') throw new Error(`A key of the type ${type} cannot seal`);
  const certificate = certificates.find((der) => new X509Certificate(der).checkPrivateKey(key));
  if (!certificate) throw new Error('The key for seals has no certificate');
  return {
    key_type: type === 'rsa' ? 'RSA' : 'EC',
    certificate,
    chain: chainOf(
      certificate,
      certificates.filter((one) => one !== certificate),
    ),
    sign: (data) => sign('sha256', data, key),
  };
}
