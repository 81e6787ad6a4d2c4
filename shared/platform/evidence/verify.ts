import { cursorBatches } from '../../db/cursor.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type AuditRow, auditColumns, auditLogOf } from '../audit/queries.ts';
import type { AuditLog } from '../audit/record.ts';
import { BEFORE_FIRST, canonicalOf, HASH_FORMAT, hashOf, type Link } from './canonical.ts';
import type { Head } from './head.ts';
import type { FilePlace, KeptFile, RecordedFile, SourceOfDomain } from './source.ts';

/** What can be wrong with the chain, an entry or a file. */
export type Flaw =
  | 'link_missing'
  | 'link_changed'
  | 'entry_missing'
  | 'entry_changed'
  | 'entry_not_noted'
  | 'file_missing'
  | 'file_changed'
  | 'file_unlike_entry'
  | 'file_without_entry';

/** A flaw and where it is; null where it has no such place. */
export type Bad = {
  reason: Flaw;
  sequence: number | null;
  audit_log_id: string | null;
  record_id: string | null;
  version: number | null;
  /** Of a file that has an ID of its own. */
  file_id: string | null;
};

const NO_FILE = { version: null, file_id: null };

/** Reads the SHA-256 of a stored file; null where its bytes are gone. */
export type HashFile = (storage_key: string) => Promise<string | null>;

/** Links that are looked at together; those of a record may name a hundred files each. */
const BATCH = 100;

/** Entries without seals that a result names. */
const MOST_UNSEALED = 100;

/** What a part of the verification found. */
export type Found = { bad: Bad[]; files: number };

/**
 * Looks at the chain up to its head, link by link: that none is missing, that each follows from the one before, that the
 * entry is as it was hashed; and at the files of each record whose making is told, that they are what the history says, byte
 * by byte. Yields what each batch found, and how far it is.
 */
export async function* verifyChain(
  reader: Reader,
  { sources, head, hashFile }: { sources: readonly SourceOfDomain[]; head: Head; hashFile: HashFile },
): AsyncGenerator<Found & { done: number }, void, void> {
  const last = head?.sequence ?? 0;
  let previous: Pick<Link, 'sequence' | 'hash'> = { sequence: 0, hash: BEFORE_FIRST };
  while (previous.sequence < last) {
    const links = await linksAfter(reader, previous.sequence, last);
    const bad: Bad[] = [];
    for (const link of links) {
      bad.push(...flawsOf(link, previous));
      previous = { sequence: link.sequence, hash: link.hash };
    }
    const created = links.filter(({ entry }) => entry?.action === 'create');
    let files = 0;
    for (const source of sources) {
      const own = created.filter(({ entry }) => isOf(source, entry!));
      const found = await verifyFiles(reader, { source, created: own, hashFile });
      bad.push(...found.bad);
      files += found.files;
    }
    // The last link is read in any case, or the head would not be there.
    if (links.length === 0) return;
    yield { bad, files, done: previous.sequence };
  }
}

type LinkWithEntry = Link & { audit_log_id: string; entry: AuditLog | null };

async function linksAfter(
  { connection, organization_id }: Reader,
  sequence: number,
  last: number,
): Promise<LinkWithEntry[]> {
  const rows = await connection.query<Link & { audit_log_id: string; entry_id: string | null } & AuditRow>(
    `SELECT link.sequence, link.audit_log_id, link.previous_hash, link.hash_format, link.canonical, link.hash,
            entry.id AS entry_id, ${auditColumns.map((name) => `entry.${name}`).join(', ')}
       FROM evidence_chain AS link
       LEFT JOIN audit_logs AS entry ON entry.organization_id = $1 AND entry.id = link.audit_log_id
      WHERE link.organization_id = $1 AND link.sequence > $2 AND link.sequence <= $3
      ORDER BY link.sequence LIMIT ${BATCH}`,
    [organization_id, sequence, last],
  );
  return rows.map(
    ({ sequence, audit_log_id, previous_hash, hash_format, canonical, hash, entry_id, ...row }) => ({
      sequence: Number(sequence),
      audit_log_id,
      previous_hash,
      hash_format,
      canonical,
      hash,
      entry: entry_id === null ? null : auditLogOf(row),
    }),
  );
}

function flawsOf(link: LinkWithEntry, previous: Pick<Link, 'sequence' | 'hash'>): Bad[] {
  const { sequence, audit_log_id, entry } = link;
  const flaw = (reason: Flaw, of = sequence): Bad => {
    return { reason, sequence: of, audit_log_id, record_id: entry?.entity_id ?? null, ...NO_FILE };
  };
  if (sequence !== previous.sequence + 1) return [flaw('link_missing', previous.sequence + 1)];
  const isWhole =
    link.previous_hash === previous.hash &&
    link.hash_format === HASH_FORMAT &&
    link.hash === hashOf(link.canonical);
  if (!isWhole) return [flaw('link_changed')];
  if (entry === null) return [flaw('entry_missing')];
  return canonicalOf(entry, link) === link.canonical ? [] : [flaw('entry_changed')];
}

const isOf = ({ domain, entity_types }: SourceOfDomain, entry: Pick<AuditLog, 'domain' | 'entity_type'>) =>
  entry.domain === domain && entity_types.includes(entry.entity_type);

const keyOf = ({ record_id, version, file_id }: FilePlace) => `${record_id}/${version}/${file_id}`;

type OfSource = { source: SourceOfDomain; created: readonly LinkWithEntry[]; hashFile: HashFile };

/** Holds the files of some records against their history, and their bytes against both. */
async function verifyFiles(reader: Reader, { source, created, hashFile }: OfSource): Promise<Found> {
  if (created.length === 0) return { bad: [], files: 0 };
  const record_ids = created.map(({ entry }) => entry!.entity_id);
  const { recorded, kept } = await inSnapshot(reader, async () => ({
    recorded: await recordedFiles(reader, source, record_ids),
    kept: await source.kept(reader, record_ids),
  }));
  const place = new Map(
    created.map(({ entry, sequence, audit_log_id }) => [entry!.entity_id, { sequence, audit_log_id }]),
  );
  const bad: Bad[] = [];
  const flaw = (reason: Flaw, { record_id, version, file_id }: FilePlace) =>
    bad.push({ reason, ...place.get(record_id)!, record_id, version, file_id });
  const left = new Map(kept.map((file) => [keyOf(file), file]));
  for (const said of recorded) {
    const file = left.get(keyOf(said));
    left.delete(keyOf(said));
    if (!file) flaw('file_missing', said);
    else if (file.sha256 !== said.sha256) flaw('file_unlike_entry', said);
    else await verifyBytes(file, hashFile, flaw);
  }
  for (const file of left.values()) flaw('file_without_entry', file);
  return { bad, files: kept.length };
}

async function verifyBytes(
  file: KeptFile,
  hashFile: HashFile,
  flaw: (reason: Flaw, file: KeptFile) => void,
): Promise<void> {
  const sha256 = await hashFile(file.storage_key);
  if (sha256 === null) flaw('file_missing', file);
  else if (sha256 !== file.sha256) flaw('file_changed', file);
}

function byRecord(one: RecordedFile, other: RecordedFile): number {
  if (one.record_id !== other.record_id) return one.record_id < other.record_id ? -1 : 1;
  return one.version - other.version;
}

/**
 * The files that the history of some records tells of, in their order. It may have any number of entries with much text each:
 * a few of them are in memory together. They are found by their records alone: with a condition on the domain, a server that
 * has not counted a young table's rows reads the history of the whole domain for each part.
 */
async function recordedFiles(
  { connection, organization_id }: Reader,
  source: SourceOfDomain,
  record_ids: readonly string[],
): Promise<RecordedFile[]> {
  const history = cursorBatches<Pick<AuditLog, 'domain' | 'entity_type' | 'entity_id' | 'changes'>>(
    connection,
    `SELECT domain, entity_type, entity_id, changes FROM audit_logs
      WHERE organization_id = $1 AND entity_id = ANY ($2)`,
    [organization_id, record_ids],
    BATCH,
  );
  const recorded: RecordedFile[] = [];
  for await (const entries of history) {
    const own = entries.filter((entry) => isOf(source, entry));
    recorded.push(...own.flatMap((entry) => source.added(entry)));
  }
  return recorded.sort(byRecord);
}

/** What the chain does not reach: entries that wait, entries that nothing has noted, and files without a history. */
export async function verifyRest(
  reader: Reader,
  sources: readonly SourceOfDomain[],
): Promise<{ bad: Bad[]; unsealed: string[] }> {
  const { connection, organization_id } = reader;
  const bad: Bad[] = [];
  for (const source of sources) {
    const [entry] = await connection.query<{ id: string; entity_id: string }>(
      `SELECT id, entity_id FROM audit_logs AS entry
        WHERE organization_id = $1 AND domain = $2 AND entity_type = ANY ($3)
          AND NOT EXISTS (SELECT FROM evidence_chain AS link
               WHERE link.organization_id = $1 AND link.audit_log_id = entry.id)
          AND NOT EXISTS (SELECT FROM evidence_unsealed AS waiting
               WHERE waiting.organization_id = $1 AND waiting.audit_log_id = entry.id)
        ORDER BY id LIMIT 1`,
      [organization_id, source.domain, source.entity_types],
    );
    if (entry) {
      const { id: audit_log_id, entity_id: record_id } = entry;
      bad.push({ reason: 'entry_not_noted', sequence: null, audit_log_id, record_id, ...NO_FILE });
    }
    const file = await source.unrecorded(reader);
    if (file) {
      const { record_id, version, file_id } = file;
      bad.push({
        reason: 'file_without_entry',
        sequence: null,
        audit_log_id: null,
        record_id,
        version,
        file_id,
      });
    }
  }
  const [gone] = await connection.query<{ audit_log_id: string }>(
    `SELECT audit_log_id FROM evidence_unsealed AS waiting
      WHERE organization_id = $1 AND NOT EXISTS (SELECT FROM audit_logs AS entry
             WHERE entry.organization_id = $1 AND entry.id = waiting.audit_log_id)
      ORDER BY audit_log_id LIMIT 1`,
    [organization_id],
  );
  if (gone) bad.push({ reason: 'entry_missing', sequence: null, ...gone, record_id: null, ...NO_FILE });
  const waiting = await connection.query<{ audit_log_id: string }>(
    `SELECT audit_log_id FROM evidence_unsealed WHERE organization_id = $1 ORDER BY 1 LIMIT ${MOST_UNSEALED}`,
    [organization_id],
  );
  return { bad, unsealed: waiting.map(({ audit_log_id }) => audit_log_id) };
}
