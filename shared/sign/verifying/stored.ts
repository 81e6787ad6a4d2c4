import type { Reader } from '../../kernel/reader.ts';
import { storedDocument } from '../documents/queries.ts';
import type { FileRow, StoredDocument } from '../documents/rows.ts';
import { organizationName } from '../mails/sender.ts';
import { sha256Of } from '../pki/certificates.ts';
import { placesNamedIn } from '../sealing/placed.ts';
import { sealCertificatesAmong, storedTrail } from './queries.ts';
import type { Verification, VerificationReason, VerifiedTrail } from './record.ts';
import { checkSignatures, shownSignature } from './signatures.ts';

/** A document and what is computed of it while a connection is at hand. */
export type ToVerify = {
  stored: StoredDocument;
  organization_name: string;
  trail: VerifiedTrail | null;
};

/** Reads what a document is verified by; its trail is computed anew. Errors: `not_found`. */
export async function toVerify(reader: Reader, id: string): Promise<ToVerify> {
  const stored = await storedDocument(reader, id);
  const [organization_name, trail] = await Promise.all([
    organizationName(reader),
    storedTrail(reader.connection, { organization_id: reader.organization_id, id }),
  ]);
  return { stored, organization_name, trail };
}

/**
 * Verifies a document: its trail, and each of its files against the hash that is recorded; a sealed file also by its seal. Any
 * disagreement makes it `modified`. What is not sealed is `original`.
 */
export async function verifyStored(
  { connection }: Pick<Reader, 'connection'>,
  { stored, organization_name, trail }: ToVerify,
  contents: ReadonlyMap<string, Buffer | null>,
): Promise<Verification> {
  const { document, signers, files } = stored;
  const reasons: VerificationReason[] = [];
  if (trail && !(trail.ok && trail.length === document.trail_length && trail.head === document.trail_head)) {
    reasons.push('trail_broken');
  }
  for (const file of files) {
    const reason = faultOf(file, contents.get(file.storage_key) ?? null);
    if (reason && !reasons.includes(reason)) reasons.push(reason);
  }
  const sealed = files.find(({ kind }) => kind === 'signed');
  const bytes = sealed && contents.get(sealed.storage_key);
  const places = bytes ? placesNamedIn(bytes) : [];
  const names = bytes ? checkSignatures(bytes, places, () => false).map((one) => one.certificate_sha256) : [];
  const ours = await sealCertificatesAmong(connection, names);
  const signatures = bytes ? checkSignatures(bytes, places, (certificate) => ours.has(certificate)) : [];
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

function faultOf({ sha256 }: FileRow, bytes: Buffer | null): VerificationReason | null {
  if (!bytes) return 'file_missing';
  return sha256Of(bytes) === sha256 ? null : 'digest_mismatch';
}
