import {
  contentOfSource,
  copyRequest,
  endCopy,
  forgetContentKey,
  keepCopy,
  noteContentKey,
} from '../../shared/cloud/copies/operations.ts';
import type { CopyRequest } from '../../shared/cloud/copies/record.ts';
import { reasonsOfCloud } from '../../shared/cloud/failure-reasons.ts';
import { MOST_FILE_BYTES } from '../../shared/cloud/files/record.ts';
import { failures, shownCode } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { FileSource } from '../../shared/platform/file-sources/source.ts';
import { keepUploadedFile } from '../../shared/platform/intake/kept-files.ts';
import type { Scanner } from '../../shared/platform/intake/scanner.ts';
import { takeFile } from '../../shared/platform/intake/take-file.ts';
import type { JobFile } from '../../shared/platform/jobs/files.ts';
import { generatedFile, generateOnce } from '../../shared/platform/jobs/generated.ts';
import { failJob, keepResult, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { presentActor } from '../batches/present-actor.ts';
import { type Delivery, type Handler, type Hooks, PermanentFailure, Postponed } from '../kernel/handler.ts';

export type CopyOptions = {
  storage: Storage;
  scanner: Scanner | null;
  sources: ReadonlyMap<string, FileSource>;
  installation_bytes: number;
};

/** Milliseconds between two looks at a file that is being made. */
const PAUSE = 1_000;

/**
 * Copies the file of a record into a folder, with what who asked may do by then. One that is not there yet is asked for
 * once, and waited for without a place in the queue. A refusal ends the job with the code and sentence of the call.
 */
export function copyRecord(options: CopyOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const { database, organization_id, signal, clock } = delivery;
    const kept = { database, storage: options.storage, scanner: options.scanner };
    let storage_key: string | null = null;
    try {
      const begun = await begin(options, job_id, delivery);
      if (!begun) return;
      const { request, source, file } = begun;
      const body = await options.storage.read(file.storage_key);
      const copied = await takeFile(
        kept,
        { organization_id, limit: MOST_FILE_BYTES, into: 'store', now: clock(), signal },
        { body, file_name: file.file_name, media_type: file.media_type },
      );
      storage_key = copied.storage_key!;
      const arrived = {
        file: copied,
        reservation: null,
        installation_bytes: options.installation_bytes,
      };
      // The part ends the job too: another try finds nothing left to do, and a refusal can still be settled.
      await delivery.part(async (work) => {
        endCopy(work, job_id);
        const asking = await askingOf(work, request);
        await keepUploadedFile(work, { ...copied, storage_key: copied.storage_key! });
        const file_id = await keepCopy(asking, source, request, arrived);
        if (!(await succeedJob(work, job_id, { file_id }))) throw new Cancelled();
      });
    } catch (error) {
      if (error instanceof Cancelled) return;
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
      await delivery.settle(async (work) => {
        endCopy(work, job_id);
        // What the refusal names, such as the file that has the name, is told by the call that waits for the job.
        if (error.details.members) await keepResult(work, job_id, { ...error.details.members });
        await failJob(work, job_id, shown(error));
      });
    } finally {
      // This removes no file that is kept, only one that nothing refers to.
      if (storage_key) await discardFile(kept, organization_id, storage_key).catch(() => undefined);
    }
  };
}

/** After an operator's retry a file that could not be made is asked for again. */
export const copyHooks: Hooks<{ job_id: string }> = {
  async retried({ job_id }, work) {
    forgetContentKey(work, job_id);
  },
};

type Begun = { request: CopyRequest; source: FileSource; file: JobFile };

/** The file that is to be copied; null where the job has ended. Errors: `Postponed` while it is being made. */
async function begin({ sources }: CopyOptions, job_id: string, delivery: Delivery): Promise<Begun | null> {
  let isOpen = false;
  let begun: Begun | null = null;
  let isMissing = false;
  await delivery.part(async (work) => {
    isOpen = await startJob(work, job_id);
    if (!isOpen) return endCopy(work, job_id);
    const request = await copyRequest(work, job_id);
    const source = request && sources.get(request.source.type);
    isMissing = !source;
    if (!source) return;
    const file = await fileOf(work, { job_id, request, source });
    if (file) begun = { request, source, file };
  });
  if (isMissing) throw new PermanentFailure(reasons.asked_too_long_ago().en);
  if (isOpen && !begun) throw new Postponed(reasons.waits_for_files(1).en, PAUSE);
  return begun;
}

/** The file of the record; null while it is being made. Errors: those of the call; `PermanentFailure` where it is not made. */
async function fileOf(
  work: Work,
  { job_id, request, source }: Omit<Begun, 'file'> & { job_id: string },
): Promise<JobFile | null> {
  const asking = await askingOf(work, request);
  const content = await contentOfSource(asking, source, request.source.id);
  if ('file' in content) return content.file;
  if (request.content_key === null) {
    const { key, enqueue } = content;
    const { file } = await generateOnce(asking, key, source.making!, (id) => enqueue(asking, id));
    if (!file) noteContentKey(work, job_id, request, key);
    return file;
  }
  const made = await generatedFile(work, request.content_key);
  if (made?.file) return made.file;
  if (made?.job.status === 'queued' || made?.job.status === 'running') return null;
  throw new PermanentFailure(reasonsOfCloud.no_file_of_record().en, { code: 'unavailable' });
}

/** The work of who asked. Errors: `invalid_credentials`, `insufficient_scope` where they may do so no more. */
async function askingOf(work: Work, { actor, request_id }: CopyRequest): Promise<Work> {
  const present = await presentActor(work, actor, 'cloud:write');
  if ('refused' in present) throw new Failure(present.refused);
  return work.onBehalfOf(present.actor, request_id);
}

/** The job was cancelled: nothing of what it made is kept. */
class Cancelled extends Error {}

/** The code and the sentence that the call would have been answered with. */
function shown({ code, details }: Failure): { code: string; message: string } {
  return { code: shownCode(code), message: (details.detail ?? failures[code].help).en };
}
