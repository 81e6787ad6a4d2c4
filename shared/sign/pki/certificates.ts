import { createHash, X509Certificate } from 'node:crypto';
import { withoutTurns } from '../../kernel/line-direction.ts';

const BLOCK = /-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/** A block of a PEM text: its label, and the text with its lines. */
export type PemBlock = { label: string; text: string };

/** The blocks of a PEM text, in their order. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(BLOCK)].map((match) => ({ label: match[1]!, text: `${match[0]}\n` }));
}

/** DER as PEM, in lines of 64 characters (RFC 7468). */
export function pemOf(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** Hex SHA-256. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Letters of a subject that are told: a common name has 64 (X.520, ub-common-name), but nothing holds whoever writes one to that. */
const LONGEST_SUBJECT = 200;

/**
 * The common name of who a certificate is for; its whole subject where it has none. In one line, as OpenSSL writes it (control
 * characters and signs with backslashes), without letters that turn the line, and cut where it is longer than a name.
 */
export function subjectOf(der: Uint8Array): string {
  const { subject } = new X509Certificate(der);
  const whole = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.split('\n').join(', ');
  const name = withoutTurns(whole);
  if (name.length <= LONGEST_SUBJECT) return name;
  // Half of a letter may stand at the place of the cut.
  return `${name.slice(0, LONGEST_SUBJECT).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** From when to when a certificate is valid. */
export function validityOf(der: Uint8Array): { from: Date; to: Date } {
  const { validFromDate, validToDate } = new X509Certificate(der);
  return { from: validFromDate, to: validToDate };
}

/**
 * The certificates in the order of the chain, each signed by the next: from the one with the key to the last known issuer.
 * What does not belong to the chain is left out.
 */
export function chainOf(leaf: Uint8Array, others: readonly Uint8Array[]): Uint8Array[] {
  const chain: Uint8Array[] = [];
  let current = new X509Certificate(leaf);
  const rest = others.map((der) => ({ der, certificate: new X509Certificate(der) }));
  for (;;) {
    const next = rest.find(
      ({ certificate }) => !certificate.raw.equals(current.raw) && current.checkIssued(certificate),
    );
    if (!next || current.checkIssued(current) || chain.includes(next.der)) return chain;
    chain.push(next.der);
    current = next.certificate;
  }
}
