import { createPrivateKey, type KeyObject } from 'node:crypto';
import { asn1, pki } from './pkijs.ts';

/** Kinds of bags of RFC 7292, 4.2. */
const KEY = '1.2.840.113549.1.12.10.1.1';
const SHROUDED_KEY = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE = '1.2.840.113549.1.12.10.1.3';

/** What a PKCS #12 file holds: the first key, and all certificates as DER. */
export type Opened = { key: KeyObject | null; certificates: Uint8Array[] };

/**
 * Opens a PKCS #12 file that is encrypted as PBES2 says (AES; what OpenSSL 3 writes). Throws when it is none, when the password is
 * wrong, and for older encryptions.
 */
export async function openPkcs12(file: Uint8Array, password: string): Promise<Opened> {
  const secret = new TextEncoder().encode(password).buffer;
  const pfx = new pki.PFX({ schema: asn1.fromBER(new Uint8Array(file).buffer).result });
  await pfx.parseInternalValues({ password: secret });
  const safe = pfx.parsedValue!.authenticatedSafe!;
  await safe.parseInternalValues({ safeContents: safe.safeContents.map(() => ({ password: secret })) });
  const opened: Opened = { key: null, certificates: [] };
  const contents = safe.parsedValue!.safeContents as { value: InstanceType<typeof pki.SafeContents> }[];
  for (const bag of contents.flatMap(({ value }) => value.safeBags)) {
    if (bag.bagId === KEY) opened.key ??= keyOf((bag.bagValue as KeyInfo).toSchema().toBER());
    if (bag.bagId === SHROUDED_KEY) {
      const shrouded = bag.bagValue as InstanceType<typeof pki.PKCS8ShroudedKeyBag>;
      await (
        shrouded as unknown as { parseInternalValues(options: object): Promise<void> }
      ).parseInternalValues({
        password: secret,
      });
      opened.key ??= keyOf((shrouded.parsedValue as KeyInfo).toSchema().toBER());
    }
    if (bag.bagId === CERTIFICATE) {
      const { parsedValue } = bag.bagValue as InstanceType<typeof pki.CertBag>;
      const certificate = parsedValue as InstanceType<typeof pki.Certificate>;
      opened.certificates.push(new Uint8Array(certificate.toSchema().toBER()));
    }
  }
  return opened;
}

type KeyInfo = InstanceType<typeof pki.PrivateKeyInfo>;

function keyOf(der: ArrayBuffer): KeyObject {
  return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
}
