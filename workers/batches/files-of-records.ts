import type { FileSet } from '../../shared/platform/batches/file-set.ts';
import { type AskedFiles, noteContentKeys } from '../../shared/platform/batches/files.ts';
import type { Outcome } from '../../shared/platform/batches/record.ts';
import type { JobFile } from '../../shared/platform/jobs/files.ts';
import { generatedFiles, generateOnce } from '../../shared/platform/jobs/generated.ts';
import { progressJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { type Delivery, Postponed } from '../kernel/handler.ts';
import { presentActor, refusalOf } from './present-actor.ts';

export type Wanted = { job_id: string; set: FileSet; asked: AskedFiles };

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

/** Milliseconds between two looks at files that are being made: a tenth of the time since they were asked for. */
const SOONEST = 1_000;
const LATEST = 15_000;

/**
 * Finds the files of records, and has those made that are missing, with what who asked may do by then; null once the job
 * was cancelled. Errors: `Postponed` while some are being made, so that other jobs have the place meanwhile: what renders
 * PDFs may be away, or busy for hours.
 */
export async function filesOfRecords(wanted: Wanted, delivery: Delivery): Promise<Found | null> {
  const { content_keys, asked_at } = wanted.asked;
  const ids = wanted.asked.ids.filter((id) => !content_keys.has(id));
  const finding: Finding = { files: new Map(), refusals: new Map(), making: new Map(content_keys) };
  const { files, refusals, making } = finding;
  const report = () => told(wanted, delivery, files.size + refusals.size);
  for (let from = 0; from < ids.length; from += SLICE) {
    await find(wanted, ids.slice(from, from + SLICE), finding, delivery);
    // Later looks begin anew with the files that are there, which were told before.
    if (content_keys.size === 0 && !(await report())) return null;
  }
  if (making.size > 0) {
    await look(wanted, finding, delivery);
    if (!(await report())) return null;
  }
  if (making.size > 0) {
    const since = delivery.clock().getTime() - asked_at.getTime();
    const wait = Math.min(Math.max(since / 10, SOONEST), LATEST);
    throw new Postponed(reasons.waits_for_files(making.size).en, wait);
  }
  return { files, refusals };
}

/** Keeps the files that are there, and asks for the others on behalf of who asked. */
async function find(
  { job_id, set, asked }: Wanted,
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
    const content_keys = new Map<string, string>();
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
      else content_keys.set(id, key);
    }
    noteContentKeys(work, job_id, content_keys);
    for (const [id, key] of content_keys) making.set(id, key);
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
