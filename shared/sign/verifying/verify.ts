import type { Connection } from '../../kernel/connection.ts';
import { ReaderFailure } from '../../platform/readers/failure.ts';
import { readerOf } from '../../platform/readers/reader.ts';
import { sha256Of } from '../pki/certificates.ts';
import type { AttachedTrail } from './attached.ts';
import { judge } from './judge.ts';
import { inCheckPlace } from './places.ts';
import {
  documentByHead,
  documentBySeal,
  fileByHash,
  foundInTrail,
  type KnownDocument,
  sealCertificatesAmong,
  storedTrail,
} from './queries.ts';
import type { FoundSignatures } from './reading/signatures.ts';
import type { Verification, VerifiedTrail } from './record.ts';
import { shownSignature, withSeals } from './signatures.ts';

const findSignatures = readerOf<null, FoundSignatures>({
  module: new URL('reading/signatures.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 32 * 1024 * 1024,
});

/**
 * Finds and checks the signatures of a foreign file, in the process of a reader: none in one that it cannot read. Errors:
 * `unavailable` while others are being read.
 */
export async function signaturesIn(file: Buffer, signal?: AbortSignal): Promise<FoundSignatures> {
  try {
    return await inCheckPlace(() => findSignatures(null, file, signal));
  } catch (error) {
    if (!(error instanceof ReaderFailure) || error.reason === 'aborted') throw error;
    return { signatures: [], stamped_end: null, trail: null };
  }
}

/** Verifies a file by its signatures and by what is recorded. Nothing of it is kept. */
export async function verifyFile(
  connection: Connection,
  file: Buffer,
  { signatures: found, stamped_end, trail }: FoundSignatures,
): Promise<Verification> {
  const sha256 = sha256Of(file);
  const signers = found.map((one) => one.certificate_sha256);
  const ours = await sealCertificatesAmong(connection, signers);
  const signatures = withSeals(found, (certificate) => ours.has(certificate));
  const digests = signatures.flatMap(({ digest, is_service_seal }) =>
    digest && is_service_seal ? [digest] : [],
  );
  const [known, sealed, attached] = [
    await fileByHash(connection, sha256),
    await documentBySeal(connection, digests),
    trail === null ? null : await comparedTrail(connection, trail),
  ];
  const { result, reasons, seal_digest } = judge(known, { signatures, stamped_end }, (digest) =>
    sealed.some((one) => one.seal_digest === digest),
  );
  const document = known ?? sealed.find((one) => one.seal_digest === seal_digest) ?? null;
  return {
    object: 'sign.verification',
    result,
    reasons: reasons.map((code) => ({ code })),
    sha256,
    document: document && told(document),
    signatures: signatures.map(shownSignature),
    trail: attached,
  };
}

/** Verifies a hash: that of a sealed file, of an upload, or of nothing that is known. */
export async function verifyHash(connection: Connection, sha256: string): Promise<Verification> {
  const known = await fileByHash(connection, sha256);
  return {
    object: 'sign.verification',
    result: known === null ? 'unknown' : known.kind === 'original' ? 'original' : 'valid',
    reasons: [],
    sha256,
    document: known && told(known),
    signatures: [],
    trail: known && (await storedTrail(connection, known)),
  };
}

/** Verifies what a certificate's code says: a document, and a hash of its trail. */
export async function verifyHead(
  connection: Connection,
  document_id: string,
  head: string,
): Promise<Verification> {
  const known = await documentByHead(connection, document_id, head);
  const trail = known && (await storedTrail(connection, known));
  const isWhole = trail === null || trail.ok;
  return {
    object: 'sign.verification',
    result: known === null ? 'unknown' : isWhole ? 'valid' : 'modified',
    reasons: isWhole ? [] : [{ code: 'trail_broken' }],
    sha256: null,
    document: known && told(known),
    signatures: [],
    trail,
  };
}

/** What a trail in a file says of itself, and whether the service has the same. */
async function comparedTrail(
  connection: Connection,
  { document_id, seq, ...trail }: AttachedTrail,
): Promise<VerifiedTrail> {
  const { is_stored, is_in } = await foundInTrail(connection, { document_id, seq, hash: trail.head });
  return { ...trail, matches_database: is_stored ? is_in : null };
}

function told({ id, organization_name, sealed_at, signer_count }: KnownDocument): Verification['document'] {
  return { id, organization_name, sealed_at, signer_count };
}
