import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Text } from '../../shared/kernel/language.ts';
import {
  type AskedEvidence,
  type ExportedFile,
  indexColumns,
  type SourceOfDomain,
} from '../../shared/platform/evidence/source.ts';
import { csvLine } from '../../shared/platform/exports/csv-line.ts';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import { type Storage, StoredFileMissing } from '../../shared/platform/storage/storage.ts';
import { memberNames } from '../batches/member-names.ts';
import { MOST_ZIP_BYTES, type ZipMember, zipOf } from '../batches/zip.ts';
import { discardEarlier } from '../exports/earlier-files.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';

export type ExportOptions = { storage: Storage; sources: readonly SourceOfDomain[] };

/** Files of a zip: what fits into its fields of 16 bits, and rows of the index that memory holds. */
const MOST_FILES = 50_000;

/** A file with its path in the zip. */
type Member = ExportedFile & { path: string };

/** Puts originals into a zip with their index. Another try begins anew and removes what the one before has left. */
export function exportEvidence({
  storage,
  sources,
}: ExportOptions): Handler<{ job_id: string; asked: AskedEvidence; domains: string[] }> {
  return async ({ job_id, asked, domains }, delivery) => {
    const { database, organization_id, clock, part, settle, signal } = delivery;
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
    });
    if (!isOpen) return;
    const members: Member[] = [];
    for (const source of sources) {
      if (domains.includes(source.domain)) await collect(source, asked, members, delivery);
    }
    refuseTooLarge(members);
    await part(async (work) => {
      isOpen = await progressJob(work, job_id, { done: 0, total: members.length });
    });
    if (!isOpen) return;
    const now = clock();
    const kept = { database, storage };
    const area = `evidence/${job_id}`;
    await discardEarlier(delivery, storage, area);
    const body = Readable.from(zipOf(membersOf(storage, members, now, signal)), { objectMode: false });
    const stored = await storeFile(kept, { organization_id, area, body, limit: MOST_ZIP_BYTES * 1.01, now });
    try {
      await settle(async (work) => {
        const result = { files: members.length, size: stored.size, sha256: stored.sha256 };
        if (!(await progressJob(work, job_id, { done: members.length, total: members.length }))) return;
        await succeedJob(work, job_id, result);
        const file_name = exportFileName('証憑', now, job_id, 'zip');
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: 'application/zip' });
      });
    } finally {
      // This removes no file that a job keeps, only one that no job refers to.
      await discardFile(kept, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}

async function collect(
  { exported }: SourceOfDomain,
  asked: AskedEvidence,
  members: Member[],
  { part, signal }: Delivery,
): Promise<void> {
  let after: string | null = null;
  do {
    signal.throwIfAborted();
    const from = after;
    let found: Awaited<ReturnType<SourceOfDomain['exported']>> = { files: [], next: null };
    await part(async (work) => {
      found = await exported(work, asked, from);
    });
    for (const file of found.files) {
      const [name] = memberNames([file.cells.file_name]);
      members.push({ ...file, path: `${file.folder}/${name}` });
    }
    if (members.length > MOST_FILES)
      throw tooLarge(reasons.too_many_files_of_evidence(members.length, MOST_FILES));
    after = found.next;
  } while (after !== null);
}

/** Bytes of originals that leave room in a zip for what is told of them. */
const MOST_ORIGINAL_BYTES = MOST_ZIP_BYTES * 0.99;

function refuseTooLarge(members: readonly Member[]): void {
  const size = members.reduce((sum, member) => sum + member.size, 0);
  if (size <= MOST_ORIGINAL_BYTES) return;
  throw tooLarge(
    reasons.too_large_evidence(Math.ceil(size / MEGABYTE), Math.floor(MOST_ORIGINAL_BYTES / MEGABYTE)),
  );
}

/** As sizes are told to people. */
const MEGABYTE = 1_000_000;

function tooLarge({ en }: Text): PermanentFailure {
  return new PermanentFailure(en, { code: 'too_large' });
}

async function* membersOf(
  storage: Storage,
  members: readonly Member[],
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<ZipMember> {
  yield { name: 'index.csv', at: now, bytes: indexOf(members) };
  yield { name: 'SHA256SUMS', at: now, bytes: sumsOf(members) };
  for (const member of members) {
    signal.throwIfAborted();
    yield { name: member.path, at: member.at, bytes: await bytesOf(storage, member) };
  }
}

/** The original. Throws for one that the store has lost: a zip without it would pass for the whole. */
async function bytesOf(storage: Storage, { storage_key, cells }: Member): Promise<Buffer> {
  try {
    return await buffer(await storage.read(storage_key));
  } catch (error) {
    if (!(error instanceof StoredFileMissing)) throw error;
    const message = reasons.original_missing(`${cells.file_name} (${cells.id})`).en;
    throw new PermanentFailure(message, { code: 'file_missing' });
  }
}

/** What `sha256sum -c` reads. */
function sumsOf(members: readonly Member[]): Buffer {
  return Buffer.from(members.map(({ cells, path }) => `${cells.sha256}  ${path}\n`).join(''));
}

/** The index as spreadsheets open it. */
function indexOf(members: readonly Member[]): Buffer {
  const total = indexColumns.indexOf('total');
  const lines = members.map(({ cells, path }) => {
    const row: Readonly<Record<string, string | null | undefined>> = { ...cells, path };
    return csvLine(
      indexColumns.map((name) => row[name] ?? ''),
      'crlf',
      (place) => place === total,
    );
  });
  return Buffer.from(`\ufeff${csvLine(indexColumns, 'crlf')}${lines.join('')}`);
}
