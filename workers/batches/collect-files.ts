import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileSet } from '../../shared/platform/batches/file-set.ts';
import { type AskedFiles, filesRequest, forgetContentKeys } from '../../shared/platform/batches/files.ts';
import { endBatch } from '../../shared/platform/batches/operations.ts';
import type { BatchEntry, FilesRequest, FilesResult } from '../../shared/platform/batches/record.ts';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import { type JobFile, keepJobFile } from '../../shared/platform/jobs/files.ts';
import { failJob, keepResult, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { discardEarlier } from '../exports/earlier-files.ts';
import { type Delivery, type Handler, type Hooks, PermanentFailure, TryLater } from '../kernel/handler.ts';
import { withInfo, withoutInfo } from '../pdf/info.ts';
import { joinPdfs } from '../pdf/join.ts';
import { type Found, filesOfRecords } from './files-of-records.ts';
import { memberNames } from './member-names.ts';
import { refusalOf } from './present-actor.ts';
import { MOST_ZIP_BYTES, type ZipMember, zipOf } from './zip.ts';

export type CollectOptions = { storage: Storage; file_sets: ReadonlyMap<string, FileSet> };

/** Bytes of PDFs that are joined: all of them are in memory, and the joined one beside them. */
const MOST_JOINED_BYTES = 128 * 1024 ** 2;

/** As sizes are told to people. */
const MEGABYTE = 1_000_000;

const MEDIA_TYPES = { zip: 'application/zip', pdf: 'application/pdf' };

/**
 * Puts the PDFs of many records together. Those that are not there yet are asked for as a single call asks, once, and
 * waited for without a place in the queue. Another try removes what the one before has left.
 */
export function collectFiles({ storage, file_sets }: CollectOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const asked = await begin(job_id, delivery);
    if (!asked) return delivery.settle(async (work) => endBatch(work, job_id));
    const set = file_sets.get(asked.files);
    if (!set) throw new TryLater(reasons.unknown_to_release(asked.files).en);
    const found = await filesOfRecords({ job_id, set, asked }, delivery);
    if (!found) return delivery.settle(async (work) => endBatch(work, job_id));
    const outcome = outcomeOf(asked, found);
    const files = outcome.entries.flatMap(({ id }) => found.files.get(id) ?? []);
    if (files.length === 0) {
      return delivery.settle(async (work) => {
        endBatch(work, job_id);
        await keepResult(work, job_id, { ...outcome, size: 0 });
        await failJob(work, job_id, NOTHING);
      });
    }
    const kept = { database: delivery.database, storage };
    const { organization_id, clock } = delivery;
    const now = clock();
    const area = `files/${job_id}`;
    await discardEarlier(delivery, storage, area);
    const body = Readable.from(
      bytesOf(storage, { form: asked.form, title: set.title }, files, delivery.signal),
      { objectMode: false },
    );
    const stored = await storeFile(kept, { organization_id, area, body, limit: MOST_ZIP_BYTES * 1.01, now });
    try {
      await delivery.settle(async (work) => {
        endBatch(work, job_id);
        const result: FilesResult = { ...outcome, size: stored.size };
        if (!(await succeedJob(work, job_id, result))) return;
        const file_name = exportFileName(set.title, now, job_id, asked.form);
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: MEDIA_TYPES[asked.form] });
      });
    } finally {
      // This removes no file that a job keeps, only one that no job refers to.
      await discardFile(kept, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}

/** After an operator's retry PDFs that could not be made are asked for again. */
export const filesHooks: Hooks<{ job_id: string }> = {
  async retried({ job_id }, work) {
    forgetContentKeys(work, job_id);
  },
};

const NOTHING = { code: 'no_files', message: 'None of the records has a file: "result" says why' };

/** What is to be put together; null when the job has ended meanwhile. Throws where it was asked for too long ago. */
async function begin(job_id: string, delivery: Delivery): Promise<AskedFiles | null> {
  let isOpen = false;
  let asked: AskedFiles | null = null;
  await delivery.part(async (work) => {
    isOpen = await startJob(work, job_id);
    asked = await filesRequest(work, job_id);
  });
  if (!isOpen) return null;
  if (!asked) throw new PermanentFailure(reasons.asked_too_long_ago().en);
  return asked;
}

/** What a single call for each file would have answered. */
function outcomeOf({ ids }: AskedFiles, { files, refusals }: Found): Omit<FilesResult, 'size'> {
  const entries = ids.map((id): BatchEntry => {
    if (files.has(id)) return { id, status: 200, code: null };
    return { id, ...(refusals.get(id) ?? refusalOf('not_found')) };
  });
  return { succeeded: files.size, failed: ids.length - files.size, entries };
}

/** The bytes of the file. Throws for PDFs that are too large together. */
function bytesOf(
  storage: Storage,
  { form, title }: { form: FilesRequest['form']; title: string },
  files: readonly JobFile[],
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const most = form === 'zip' ? MOST_ZIP_BYTES : MOST_JOINED_BYTES;
  if (size > most) {
    const { too_large_zip, too_large_pdf } = reasons;
    const told = (form === 'zip' ? too_large_zip : too_large_pdf)(
      Math.ceil(size / MEGABYTE),
      Math.floor(most / MEGABYTE),
    );
    throw new PermanentFailure(told.en, { code: 'too_large' });
  }
  return form === 'zip' ? zipOf(membersOf(storage, files, signal)) : joined(storage, files, title, signal);
}

async function* membersOf(
  storage: Storage,
  files: readonly JobFile[],
  signal: AbortSignal,
): AsyncGenerator<ZipMember> {
  const names = memberNames(files.map(({ file_name }) => file_name));
  for (const [place, { storage_key, created_at }] of files.entries()) {
    signal.throwIfAborted();
    const bytes = await buffer(await storage.read(storage_key));
    yield { name: names[place]!, at: new Date(created_at), bytes };
  }
}

async function* joined(
  storage: Storage,
  files: readonly JobFile[],
  title: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  for await (const { bytes } of membersOf(storage, files, signal)) parts.push(withoutInfo(bytes));
  yield withInfo(joinPdfs(parts), { title });
}
