import { z } from 'zod';
import type { Connection } from '../../kernel/connection.ts';
import { ReaderFailure } from '../../platform/readers/failure.ts';
import { readerOf } from '../../platform/readers/reader.ts';
import { sha256Of } from '../pki/certificates.ts';
import { firstBadSeq } from '../trail/chain.ts';
import { TrailEvent } from '../trail/record.ts';
import { judge } from './judge.ts';
import { inCheckPlace } from './places.ts';
import {
  documentByHead,
  documentBySeal,
  fileByHash,
  isInTrail,
  type KnownDocument,
  sealCertificatesAmong,
  storedTrail,
} from './queries.ts';
import type { FoundSignatures } from './reading/signatures.ts';
import type { Verification, VerifiedTrail } from './record.ts';
import { checkSignatures, shownSignature } from './signatures.ts';

const findSignatures = readerOf<null, FoundSignatures>({
  module: new URL('reading/signatures.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 32 * 1024 * 1024,
});

/**
 * Finds the signatures of a foreign file, in the process of a reader: none in one that it cannot read. Errors: `unavailable` while
 * others are being read.
 */
export async function signaturesIn(file: Buffer, signal?: AbortSignal): Promise<FoundSignatures> {
  try {
    return await inCheckPlace(() => findSignatures(null, file, signal));
  } catch (error) {
    if (!(error instanceof ReaderFailure) || error.reason === 'aborted') throw error;
    return { places: [], trail: null };
  }
}

/** Verifies a file by its signatures and by what is recorded. Nothing of it is kept. */
export async function verifyFile(
  connection: Connection,
  file: Buffer,
  { places, trail }: FoundSignatures,
): Promise<Verification> {
  const sha256 = sha256Of(file);
  const signers = checkSignatures(file, places, () => false).map((one) => one.certificate_sha256);
  const ours = await sealCertificatesAmong(connection, signers);
  const signatures = checkSignatures(file, places, (certificate) => ours.has(certificate));
  const digests = signatures.flatMap(({ digest, is_service_seal }) =>
    digest && is_service_seal ? [digest] : [],
  );
  const [known, sealed, attached] = [
    await fileByHash(connection, sha256),
    await documentBySeal(connection, digests),
    trail === null ? null : await attachedTrail(connection, trail),
  ];
  const { result, reasons, seal_digest } = judge(known, signatures, (digest) =>
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

const Attached = z.object({ document_id: z.string(), head: z.string(), events: z.array(TrailEvent).min(1) });

/** What a trail in a file says of itself, and whether the service has the same. Null for what is none. */
async function attachedTrail(connection: Connection, text: string): Promise<VerifiedTrail | null> {
  const read = Attached.safeParse(parsed(text));
  if (!read.success) return null;
  const { document_id, head, events } = read.data;
  const last = events.at(-1)!;
  const isOf = last.hash === head && events.every((event) => event.document_id === document_id);
  const first_bad_seq = firstBadSeq(events);
  return {
    ok: isOf && first_bad_seq === null,
    length: events.length,
    head,
    first_bad_seq,
    matches_database: await isInTrail(connection, { document_id, seq: last.seq, hash: head }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function told({ id, organization_name, sealed_at, signer_count }: KnownDocument): Verification['document'] {
  return { id, organization_name, sealed_at, signer_count };
}
