import { setTimeout as pause } from 'node:timers/promises';
import type { FileSet } from '../../shared/platform/batches/file-set.ts';
import type { FilesRequest } from '../../shared/platform/batches/record.ts';
import type { JobFile } from '../../shared/platform/jobs/files.ts';
import { generatedFiles, generateOnce } from '../../shared/platform/jobs/generated.ts';
import { progressJob } from '../../shared/platform/jobs/operations.ts';
import type { Delivery } from '../kernel/handler.ts';

export type Wanted = { job_id: string; set: FileSet; asked: FilesRequest & { ids: readonly string[] } };

/** The files that there are in the end, by the IDs of their records. */
export type Found = {
  files: ReadonlyMap<string, JobFile>;
  /** Whether a record has no file since its making failed; otherwise there is no such record. */
  is_lost(id: string): boolean;
};

/** Records whose files are looked up, and asked for, in one transaction. */
const SLICE = 50;

/** Milliseconds between two looks at files that are being made. */
const EVERY = 500;

/** Finds the files of records, and has those made that are missing; null once the job was cancelled. */
export async function filesOfRecords(wanted: Wanted, delivery: Delivery): Promise<Found | null> {
  const { ids } = wanted.asked;
  const files = new Map<string, JobFile>();
  const making = new Map<string, string>();
  const lost = new Set<string>();
  const report = () => told(wanted, delivery, files.size + lost.size);
  for (let from = 0; from < ids.length; from += SLICE) {
    await find(wanted, ids.slice(from, from + SLICE), { files, making }, delivery);
    if (!(await report())) return null;
  }
  const ending = AbortSignal.any([delivery.signal, delivery.draining]);
  while (making.size > 0) {
    // The wait ends with the process; what it threw is said by the signals themselves.
    await pause(EVERY, null, { signal: ending }).catch(() => undefined);
    delivery.draining.throwIfAborted();
    delivery.signal.throwIfAborted();
    await look({ files, making, lost }, delivery);
    if (!(await report())) return null;
  }
  return { files, is_lost: (id) => lost.has(id) };
}

/** Keeps the files that are there, and asks for the others on behalf of who asked. */
async function find(
  { set, asked }: Wanted,
  ids: readonly string[],
  { files, making }: { files: Map<string, JobFile>; making: Map<string, string> },
  delivery: Delivery,
): Promise<void> {
  await delivery.part(async (work) => {
    const actor = { ...asked.actor, role: null, grants: [set.scope] };
    const asking = work.onBehalfOf(actor, asked.request_id);
    const contents = await set.contents(asking, ids);
    // In the order of their IDs, as content that is asked for is locked.
    for (const id of [...contents.keys()].sort()) {
      const content = contents.get(id)!;
      if ('file' in content) {
        files.set(id, content.file);
        continue;
      }
      const { key, enqueue } = content;
      const made = await generateOnce(asking, key, set.making, (job_id) => enqueue(asking, job_id));
      if (made.file) files.set(id, made.file);
      else making.set(id, key);
    }
  });
}

/** Sees which files have been made since, and which will not be. */
async function look(
  { files, making, lost }: { files: Map<string, JobFile>; making: Map<string, string>; lost: Set<string> },
  delivery: Delivery,
): Promise<void> {
  await delivery.part(async (work) => {
    const known = await generatedFiles(work, [...making.values()]);
    for (const [id, key] of making) {
      const made = known.get(key);
      const isUnderWay = made && (made.job.status === 'queued' || made.job.status === 'running');
      if (made?.file) files.set(id, made.file);
      else if (isUnderWay) continue;
      else lost.add(id);
      making.delete(id);
    }
  });
}

/** Says how many files there are. False once the job was cancelled. */
async function told({ job_id }: Wanted, delivery: Delivery, done: number): Promise<boolean> {
  let isOpen = false;
  await delivery.part(async (work) => {
    isOpen = await progressJob(work, job_id, { done });
  });
  return isOpen;
}
