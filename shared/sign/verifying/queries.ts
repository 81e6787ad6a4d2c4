import type { Connection } from '../../kernel/connection.ts';
import { firstBadSeq } from '../trail/chain.ts';
import { trailOf } from '../trail/queries.ts';
import type { TrailEvent } from '../trail/record.ts';
import type { Verification, VerifiedTrail } from './record.ts';

/** What anybody may be told of a document, and where it is. Of an erased one the trail alone says how many were to sign. */
export type KnownDocument = NonNullable<Verification['document']> & { organization_id: string };

export type FoundFile = KnownDocument & { kind: 'original' | 'signed' | 'certificate' };

const TOLD = `document.organization_id, document.id, organization.name AS organization_name,
  document.seal ->> 'sealed_at' AS sealed_at,
  CASE WHEN document.erased_at IS NULL
    THEN (SELECT count(*)::integer FROM sign_signers AS signer
           WHERE signer.organization_id = document.organization_id AND signer.document_id = document.id
             AND signer.role <> 'cc')
    ELSE (SELECT (sent.data ->> 'signers')::integer FROM sign_trail AS sent
           WHERE sent.organization_id = document.organization_id AND sent.document_id = document.id AND sent.seq = 1)
  END AS signer_count`;

const OF_FILE = `JOIN sign_documents AS document
    ON document.organization_id = file.organization_id AND document.id = file.document_id
  JOIN organizations AS organization ON organization.id = document.organization_id`;

/**
 * The file of any organization that has this hash, in hex: a sealed one before an upload, which may have come more than once.
 * An upload is known once it was sent.
 */
export async function fileByHash({ query }: Connection, sha256: string): Promise<FoundFile | null> {
  const [found] = await query<FoundFile>(
    `SELECT file.kind, ${TOLD} FROM sign_files AS file ${OF_FILE}
      WHERE file.sha256 = $1 AND file.kind IN ('original', 'signed', 'certificate') AND document.sent_at IS NOT NULL
      ORDER BY (file.kind = 'original'), document.sent_at LIMIT 1`,
    [sha256],
  );
  return found ?? null;
}

/** The document whose seal was made for this digest. */
export async function documentBySeal({ query }: Connection, digests: readonly string[]) {
  return query<KnownDocument & { seal_digest: string }>(
    `SELECT file.seal_digest, ${TOLD} FROM sign_files AS file ${OF_FILE}
      WHERE file.seal_digest = ANY ($1) AND file.seal_digest IS NOT NULL`,
    [digests],
  );
}

/** The document whose trail has an event with this hash. */
export async function documentByHead(
  { query }: Connection,
  document_id: string,
  head: string,
): Promise<KnownDocument | null> {
  const [found] = await query<KnownDocument>(
    `SELECT ${TOLD} FROM sign_trail AS event
       JOIN sign_documents AS document
         ON document.organization_id = event.organization_id AND document.id = event.document_id
       JOIN organizations AS organization ON organization.id = document.organization_id
      WHERE event.hash = $1 AND event.document_id = $2`,
    [head, document_id],
  );
  return found ?? null;
}

/**
 * Whether there is a trail of a document, and whether it has this event. The `seq` is a stranger's: it may be larger than any that is
 * stored.
 */
export async function foundInTrail(
  { query }: Connection,
  { document_id, seq, hash }: { document_id: string; seq: number; hash: string },
): Promise<{ is_stored: boolean; is_in: boolean }> {
  const [found] = await query<{ is_stored: boolean; is_in: boolean }>(
    `SELECT EXISTS (SELECT FROM sign_trail WHERE document_id = $2 AND seq = 1) AS is_stored,
       EXISTS (SELECT FROM sign_trail WHERE hash = $1 AND document_id = $2 AND seq = $3::bigint) AS is_in`,
    [hash, document_id, seq],
  );
  return found!;
}

/** The stored trail of a document, computed anew. */
export async function storedTrail(
  connection: Connection,
  { organization_id, id }: Pick<KnownDocument, 'organization_id' | 'id'>,
): Promise<VerifiedTrail | null> {
  return trailAnew(await trailOf({ connection, organization_id }, id));
}

/** What the events of a stored trail say together, all of them in their order; null for none. */
export function trailAnew(events: readonly TrailEvent[]): VerifiedTrail | null {
  const last = events.at(-1);
  if (!last) return null;
  const first_bad_seq = firstBadSeq(events);
  return {
    ok: first_bad_seq === null,
    length: events.length,
    head: last.hash,
    first_bad_seq,
    matches_database: true,
  };
}

/** Which of these certificates, by their SHA-256 in hex, have sealed. */
export async function sealCertificatesAmong(
  { query }: Connection,
  sha256: readonly string[],
): Promise<Set<string>> {
  const found = await query<{ sha256: string }>(
    'SELECT sha256 FROM sign_seal_certificates WHERE sha256 = ANY ($1)',
    [sha256],
  );
  return new Set(found.map((row) => row.sha256));
}
