import type { Reader } from '../../kernel/reader.ts';
import { storedDocument } from '../documents/queries.ts';
import type { FileRow, StoredDocument } from '../documents/rows.ts';
import { organizationName } from '../mails/sender.ts';
import { sha256Of } from '../pki/certificates.ts';
import { placesNamedIn } from '../sealing/placed.ts';
import { trailOf } from '../trail/queries.ts';
import type { TrailEvent } from '../trail/record.ts';
import { sealCertificatesAmong, trailAnew } from './queries.ts';
import type { Verification, VerificationReason, VerifiedTrail } from './record.ts';
import { checkSignatures, shownSignature, withSeals } from './signatures.ts';

/** A document and what is computed of it while a connection is at hand. */
export type ToVerify = {
  stored: StoredDocument;
  organization_name: string;
  trail: VerifiedTrail | null;
  /** The SHA-256 that the trail tells of a file of each kind. */
  told: Partial<Record<FileRow['kind'], unknown>>;
};

/** Reads what a document is verified by; its trail is computed anew. Errors: `not_found`. */
export async function toVerify(reader: Reader, id: string): Promise<ToVerify> {
  const stored = await storedDocument(reader, id);
  const [organization_name, events] = await Promise.all([organizationName(reader), trailOf(reader, id)]);
  return { stored, organization_name, trail: trailAnew(events), told: toldOf(events) };
}

/** Of the upload as it was sent, of the sealed files as they were sealed or renewed last. */
function toldOf(events: readonly TrailEvent[]): ToVerify['told'] {
  const sent = events.find(({ type }) => type === 'sent')?.data;
  const sealed = events.findLast(({ type }) => type === 'sealed' || type === 'renewed')?.data;
  return {
    original: sent?.['file_sha256'],
    signed: sealed?.['signed_sha256'],
    certificate: sealed?.['certificate_file_sha256'],
  };
}

/**
 * Verifies a document: its trail, and each of its files against the hash that is recorded, there and in the trail; a sealed file also
 * by its seal. Any disagreement makes it `modified`. What is not sealed is `original`.
 */
export async function verifyStored(
  { connection }: Pick<Reader, 'connection'>,
  { stored, organization_name, trail, told }: ToVerify,
  contents: ReadonlyMap<string, Buffer | null>,
): Promise<Verification> {
  const { document, signers, files } = stored;
  const reasons: VerificationReason[] = [];
  if (trail && !(trail.ok && trail.length === document.trail_length && trail.head === document.trail_head)) {
    reasons.push('trail_broken');
  }
  for (const file of files) {
    const reason = faultOf(file, contents.get(file.storage_key) ?? null, told[file.kind]);
    if (reason && !reasons.includes(reason)) reasons.push(reason);
  }
  const sealed = files.find(({ kind }) => kind === 'signed');
  const bytes = sealed && contents.get(sealed.storage_key);
  const found = bytes ? checkSignatures(bytes, placesNamedIn(bytes)) : [];
  const names = found.map((one) => one.certificate_sha256);
  const ours = await sealCertificatesAmong(connection, names);
  const signatures = withSeals(found, (certificate) => ours.has(certificate));
  const isSealed = signatures.some((one) => one.is_service_seal && one.digest_ok);
  if (document.status === 'signed' && !isSealed && reasons.length === 0) reasons.push('no_seal');
  const matches_database = trail && trail.head === document.trail_head;
  return {
    object: 'sign.verification',
    result: reasons.length > 0 ? 'modified' : document.status === 'signed' ? 'valid' : 'original',
    reasons: reasons.map((code) => ({ code })),
    sha256: (sealed ?? files.find(({ kind }) => kind === 'original'))?.sha256 ?? null,
    document: {
      id: document.id,
      organization_name,
      sealed_at: document.seal?.sealed_at ?? null,
      signer_count: signers.filter(({ role }) => role !== 'cc').length,
    },
    signatures: signatures.map(shownSignature),
    trail: trail && { ...trail, matches_database },
  };
}

/** `told`: by the trail; a draft has none. */
function faultOf({ sha256 }: FileRow, bytes: Buffer | null, told: unknown): VerificationReason | null {
  if (!bytes) return 'file_missing';
  if (sha256Of(bytes) !== sha256) return 'digest_mismatch';
  return told === undefined || told === sha256 ? null : 'not_identical';
}
