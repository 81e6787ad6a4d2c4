import { setTimeout as pause } from 'node:timers/promises';
import type { FileSet } from '../../shared/platform/batches/file-set.ts';
import type { FilesRequest, Outcome } from '../../shared/platform/batches/record.ts';
import type { JobFile } from '../../shared/platform/jobs/files.ts';
import { generatedFiles, generateOnce } from '../../shared/platform/jobs/generated.ts';
import { progressJob } from '../../shared/platform/jobs/operations.ts';
import type { Delivery } from '../kernel/handler.ts';
import { presentActor, refusalOf } from './present-actor.ts';

export type Wanted = { job_id: string; set: FileSet; asked: FilesRequest & { ids: readonly string[] } };

/** What there is in the end, by the IDs of the records: those that are in neither do not exist. */
export type Found = {
  files: ReadonlyMap<string, JobFile>;
  /** Why a record has no file: its making failed, or who asked may not have it any more. */
  refusals: ReadonlyMap<string, Outcome>;
};

/** What is known on the way: also the keys of the files that are being made. */
type Finding = {
  files: Map<string, JobFile>;
  refusals: Map<string, Outcome>;
  making: Map<string, string>;
};

/** Records whose files are looked up, and asked for, in one transaction. */
const SLICE = 50;

/** Milliseconds between two looks at files that are being made. */
const EVERY = 500;

/**
 * Finds the files of records, and has those made that are missing, with what who asked may do by then; null once the job
 * was cancelled.
 */
export async function filesOfRecords(wanted: Wanted, delivery: Delivery): Promise<Found | null> {
  const { ids } = wanted.asked;
  const finding: Finding = { files: new Map(), refusals: new Map(), making: new Map() };
  const { files, refusals, making } = finding;
  const report = () => told(wanted, delivery, files.size + refusals.size);
  for (let from = 0; from < ids.length; from += SLICE) {
    await find(wanted, ids.slice(from, from + SLICE), finding, delivery);
    if (!(await report())) return null;
  }
  const ending = AbortSignal.any([delivery.signal, delivery.draining]);
  while (making.size > 0) {
    // The wait ends with the process; what it threw is said by the signals themselves.
    await pause(EVERY, null, { signal: ending }).catch(() => undefined);
    delivery.draining.throwIfAborted();
    delivery.signal.throwIfAborted();
    await look(wanted, finding, delivery);
    if (!(await report())) return null;
  }
  return { files, refusals };
}

/** Keeps the files that are there, and asks for the others on behalf of who asked. */
async function find(
  { set, asked }: Wanted,
  ids: readonly string[],
  { files, refusals, making }: Finding,
  delivery: Delivery,
): Promise<void> {
  await delivery.part(async (work) => {
    const present = await presentActor(work, asked.actor, set.scope);
    if ('refused' in present) {
      for (const id of ids) refusals.set(id, refusalOf(present.refused));
      return;
    }
    const asking = work.onBehalfOf(present.actor, asked.request_id);
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

/** Sees which files have been made since, and which will not be, or not for who asked. */
async function look(
  { set, asked }: Wanted,
  { files, refusals, making }: Finding,
  delivery: Delivery,
): Promise<void> {
  await delivery.part(async (work) => {
    const present = await presentActor(work, asked.actor, set.scope);
    const refused = 'refused' in present ? refusalOf(present.refused) : null;
    const known = await generatedFiles(work, [...making.values()]);
    for (const [id, key] of making) {
      const made = known.get(key);
      const isUnderWay = made && (made.job.status === 'queued' || made.job.status === 'running');
      if (refused) refusals.set(id, refused);
      else if (made?.file) files.set(id, made.file);
      else if (isUnderWay) continue;
      else refusals.set(id, refusalOf('unavailable'));
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
