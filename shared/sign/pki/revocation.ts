import { asn1, pki } from './pkijs.ts';

const DISTRIBUTION_POINTS = '2.5.29.31';
/** A name that is a URL, among those of RFC 5280, 4.2.1.6. */
const URL_NAME = 6;

/** Where a certificate says that the list of revoked ones is: http addresses, the first one at most two. */
export function revocationUrls(certificate: Uint8Array): string[] {
  const { extensions = [] } = new pki.Certificate({
    schema: asn1.fromBER(new Uint8Array(certificate)).result,
  });
  const points = extensions.find(({ extnID }) => extnID === DISTRIBUTION_POINTS)?.parsedValue as
    | InstanceType<typeof pki.CRLDistributionPoints>
    | undefined;
  const names = (points?.distributionPoints ?? []).flatMap(({ distributionPoint }) =>
    Array.isArray(distributionPoint) ? distributionPoint : [],
  );
  return names
    .flatMap(({ type, value }) => (type === URL_NAME && /^https?:/.test(value) ? [value as string] : []))
    .slice(0, 2);
}

/** Whether an answer is a list of what was revoked (RFC 5280, 5), as DER, by the issuer of the certificate. */
export function isListBy(answer: Uint8Array, certificate: Uint8Array): boolean {
  const parsed = (bytes: Uint8Array) => asn1.fromBER(new Uint8Array(bytes));
  try {
    const { result, offset } = parsed(answer);
    if (offset !== answer.length) return false;
    const { issuer } = new pki.CertificateRevocationList({ schema: result });
    return issuer.isEqual(new pki.Certificate({ schema: parsed(certificate).result }).issuer);
  } catch {
    return false;
  }
}
