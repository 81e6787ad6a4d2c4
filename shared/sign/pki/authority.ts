import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { pemOf } from './certificates.ts';
import { asn1, pki } from './pkijs.ts';

/** Who a certificate is for, and how long it is valid. */
type Wanted = { common_name: string; years: number; is_authority: boolean };

const SERVICE = 'Business Operations Service';
const AUTHORITY: Wanted = { common_name: `${SERVICE} seal CA`, years: 25, is_authority: true };
const LEAF: Wanted = { common_name: `${SERVICE} seal`, years: 15, is_authority: false };

/** Object identifiers of RFC 5280. */
const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4';

/** Bits of the key usage, from the most significant one: digitalSignature and nonRepudiation; keyCertSign and cRLSign. */
const SIGNS_DOCUMENTS = 0b1100_0000;
const SIGNS_CERTIFICATES = 0b0000_0110;

/** An issuer, with the key that signs what it issues. */
type Issuer = { certificate: InstanceType<typeof pki.Certificate>; key: KeyObject };

/**
 * A key for seals with a certificate of P-256, and the authority that issued it, as one PEM text: the key and the certificate
 * of seals, then the certificate and the key of the authority, which issues the next one when the first has ended.
 */
export async function newSealKey(at: Date): Promise<string> {
  // Certificates know whole seconds.
  const now = new Date(Math.floor(at.getTime() / 1000) * 1000);
  const authority_keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authority = await certificateOf(AUTHORITY, authority_keys.publicKey, now, {
    key: authority_keys.privateKey,
  });
  const issuer = { certificate: authority, key: authority_keys.privateKey };
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = await certificateOf(LEAF, publicKey, now, issuer);
  return [
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ...[leaf, authority].map((one) => pemOf('CERTIFICATE', new Uint8Array(one.toSchema(true).toBER()))),
    authority_keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ].join('');
}

/** A certificate by its issuer; by itself where the issuer has no certificate. */
async function certificateOf(
  { common_name, years, is_authority }: Wanted,
  public_key: KeyObject,
  now: Date,
  issuer: Partial<Issuer> & Pick<Issuer, 'key'>,
) {
  const certificate = new pki.Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1.Integer({ valueHex: positive(randomBytes(16)) });
  const name = new asn1.Utf8String({ value: common_name });
  certificate.subject.typesAndValues.push(new pki.AttributeTypeAndValue({ type: COMMON_NAME, value: name }));
  certificate.issuer = issuer.certificate?.subject ?? certificate.subject;
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  certificate.notBefore = timeOf(now);
  certificate.notAfter = timeOf(end);
  const spki = public_key.export({ type: 'spki', format: 'der' });
  certificate.subjectPublicKeyInfo = new pki.PublicKeyInfo({ schema: asn1.fromBER(spki).result });
  const own_key = await keyIdentifier(certificate.subjectPublicKeyInfo);
  const issuer_key = issuer.certificate
    ? await keyIdentifier(issuer.certificate.subjectPublicKeyInfo)
    : own_key;
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, true, new pki.BasicConstraints({ cA: is_authority }).toSchema()),
    extension(KEY_USAGE, true, usage(is_authority ? SIGNS_CERTIFICATES : SIGNS_DOCUMENTS)),
    ...(is_authority
      ? []
      : [
          extension(
            EXTENDED_KEY_USAGE,
            false,
            new pki.ExtKeyUsage({ keyPurposes: [EMAIL_PROTECTION] }).toSchema(),
          ),
        ]),
    extension(SUBJECT_KEY, false, new asn1.OctetString({ valueHex: own_key })),
    extension(
      AUTHORITY_KEY,
      false,
      new pki.AuthorityKeyIdentifier({
        keyIdentifier: new asn1.OctetString({ valueHex: issuer_key }),
      }).toSchema(),
    ),
  ];
  await certificate.sign(await signingKey(issuer.key), 'SHA-256');
  return certificate;
}

function extension(extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) {
  return new pki.Extension({ extnID, critical, extnValue: value.toBER() });
}

/** Times from 2050 on are written with four digits of the year (RFC 5280, 4.1.2.5). */
function timeOf(value: Date) {
  return new pki.Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value });
}

function usage(bits: number) {
  return new asn1.BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: 0 });
}

/** The SHA-1 of the key's bits, as RFC 5280, 4.2.1.2 has it: a name, which proves nothing. */
function keyIdentifier(info: InstanceType<typeof pki.PublicKeyInfo>): Promise<ArrayBuffer> {
  return webcrypto.subtle.digest(
    'SHA-1',
    info.subjectPublicKey.valueBlock.valueHexView as Uint8Array<ArrayBuffer>,
  );
}

function signingKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })).export({
    type: 'pkcs8',
    format: 'der',
  });
  return webcrypto.subtle.importKey(
    'pkcs8',
    der as Buffer<ArrayBuffer>,
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );
}

/** A serial number is positive (RFC 5280, 4.1.2.2), and has no leading zero. */
function positive(bytes: Buffer): ArrayBuffer {
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return new Uint8Array(bytes).buffer;
}
