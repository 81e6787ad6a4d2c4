import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { asn1, pki } from './pkijs.ts';

/** Object identifiers of RFC 5652, 5035 and 3161. */
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.47';
const RSA_PSS = '1.2.840.113549.1.1.10';
export const TIME_STAMP_TOKEN = '1.2.840.113549.1.9.16.2.14';
export const TST_INFO = '1.2.840.113549.1.9.16.1.4';

/** What digests are called by their object identifiers. */
const DIGESTS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

type SignedData = InstanceType<typeof pki.SignedData>;
type SignerInfo = InstanceType<typeof pki.SignerInfo>;
type Attribute = InstanceType<typeof pki.Attribute>;

/** A CMS signature with one signer. The value may have zeros behind it, as in a PDF. */
export type Cms = { signed: SignedData; signer: SignerInfo /** Bytes of the DER. */; size: number };

/** What a signature says of itself, and whether it holds. */
export type Checked = {
  /** Whether the certificate that it names made it, over its own attributes. */
  is_intact: boolean;
  /** Hex, of what it was made for; null where it names none. */
  digest: string | null;
  algorithm: string;
  /** DER of who signed, and of the other certificates that it carries. */
  certificate: Uint8Array;
  others: Uint8Array[];
  /** What the signer says; null where they say nothing. */
  signing_time: Date | null;
  /** The token of a time-stamping authority over the signature, as DER. */
  token: Uint8Array | null;
};

/** Reads a CMS signature. Throws for all else. */
export function readCms(der: Uint8Array): Cms {
  const { result, offset } = asn1.fromBER(new Uint8Array(der));
  if (offset === -1) throw new Error('The signature is not DER');
  const info = new pki.ContentInfo({ schema: result });
  if (info.contentType !== SIGNED_DATA) throw new Error('The signature is not SignedData');
  const signed = new pki.SignedData({ schema: info.content });
  const [signer] = signed.signerInfos;
  if (!signer || signed.signerInfos.length !== 1) throw new Error('The signature has not one signer');
  return { signed, signer, size: offset };
}

/** The attributes that the signature is made over, as RFC 5652, 5.4 has them. */
export function attributesToSign({ signer }: Pick<Cms, 'signer'>): Uint8Array {
  if (!signer.signedAttrs) throw new Error('The signature has no attributes');
  return new Uint8Array(signer.signedAttrs.encodedValue);
}

/** The value of the signature. */
export function signatureOf({ signer }: Pick<Cms, 'signer'>): Uint8Array {
  return new Uint8Array(signer.signature.valueBlock.valueHexView);
}

/** The same CMS with another value of its signature, and a token of a time stamp over it. As DER. */
export function withSignature(
  { signed, signer }: Cms,
  signature: Uint8Array,
  token: Uint8Array | null,
): Uint8Array {
  signer.signature = new asn1.OctetString({ valueHex: new Uint8Array(signature).buffer });
  if (token) {
    const values = [asn1.fromBER(new Uint8Array(token)).result];
    const attribute = new pki.Attribute({ type: TIME_STAMP_TOKEN, values });
    signer.unsignedAttrs = new pki.SignedAndUnsignedAttributes({ type: 1, attributes: [attribute] });
  }
  const info = new pki.ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER());
}

/** The content that a CMS carries; null where it is detached. */
export function contentOf({ signed }: Cms): { type: string; bytes: Uint8Array } | null {
  const { eContent, eContentType } = signed.encapContentInfo;
  return eContent ? { type: eContentType, bytes: new Uint8Array(eContent.getValue()) } : null;
}

/** Checks a signature by itself: whether its digest is that of a content is for the caller. Throws for one that is malformed. */
export function checkCms({ signed, signer }: Cms): Checked {
  const algorithm = DIGESTS[signer.digestAlgorithm.algorithmId];
  if (!algorithm) throw new Error('The digest of the signature is not known');
  const certificates = (signed.certificates ?? []).flatMap((one) =>
    one instanceof pki.Certificate ? [one] : [],
  );
  const sid = signer.sid as InstanceType<typeof pki.IssuerAndSerialNumber>;
  const own = certificates.find(
    ({ issuer, serialNumber }) => serialNumber.isEqual(sid.serialNumber) && issuer.isEqual(sid.issuer),
  );
  if (!own) throw new Error('The signature has no certificate');
  const der = (one: InstanceType<typeof pki.Certificate>) => new Uint8Array(one.toSchema().toBER());
  const certificate = der(own);
  const attributes = signer.signedAttrs?.attributes ?? [];
  const digest = octets(attributes, MESSAGE_DIGEST);
  const [time] = valuesOf(attributes, SIGNING_TIME);
  const [stamp] = valuesOf(signer.unsignedAttrs?.attributes ?? [], TIME_STAMP_TOKEN);
  const { publicKey } = new X509Certificate(certificate);
  return {
    is_intact:
      namesCertificate(attributes, certificate) &&
      verify(algorithm, attributesToSign({ signer }), keyOf(signer, publicKey), signatureOf({ signer })),
    digest,
    algorithm,
    certificate,
    others: certificates.filter((one) => one !== own).map(der),
    signing_time: time && 'toDate' in time ? (time as InstanceType<typeof asn1.UTCTime>).toDate() : null,
    token: stamp ? new Uint8Array(stamp.toBER()) : null,
  };
}

/** The key with the padding that the signature names: RSASSA-PSS (RFC 4056) is one of its own. */
function keyOf({ signatureAlgorithm }: SignerInfo, key: KeyObject): Parameters<typeof verify>[2] {
  if (signatureAlgorithm.algorithmId !== RSA_PSS) return key;
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_AUTO: saltLength } = constants;
  return { key, padding, saltLength };
}

function valuesOf(attributes: readonly Attribute[], type: string): { toBER(): ArrayBuffer }[] {
  return attributes.find((one) => one.type === type)?.values ?? [];
}

function octets(attributes: readonly Attribute[], type: string): string | null {
  const [value] = valuesOf(attributes, type);
  if (!(value instanceof asn1.OctetString)) return null;
  return Buffer.from(value.valueBlock.valueHexView).toString('hex');
}

/** Whether signing-certificate-v2 (RFC 5035), where there is one, names the certificate: another of the same key is none. */
function namesCertificate(attributes: readonly Attribute[], certificate: Uint8Array): boolean {
  const [value] = valuesOf(attributes, SIGNING_CERTIFICATE);
  if (!value) return true;
  const text = Buffer.from(value.toBER()).toString('hex');
  return Object.values(DIGESTS).some((name) =>
    text.includes(createHash(name).update(certificate).digest('hex')),
  );
}
