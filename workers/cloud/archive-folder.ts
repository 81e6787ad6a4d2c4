import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Archived, type Contents, contentsBelow } from '../../shared/cloud/archive/operations.ts';
import { reasonsOfCloud } from '../../shared/cloud/failure-reasons.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { presentActor } from '../batches/present-actor.ts';
import { discardEarlier } from '../exports/earlier-files.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';

type Payload = {
  job_id: string;
  folder_id: string | null;
  asking: Pick<Actor, 'type' | 'id' | 'user_id'>;
};

const MiB = 1024 * 1024;

/** What one archive may have: its paths are in memory until its end, of which a worker has 512 MiB. */
const MOST = { items: 200_000, path_bytes: 64 * MiB };

/** Bytes that a zip has beside its contents and the paths, for an item and for itself. */
const OVERHEAD = 2_048;

/** Times that the path of an item stands in a zip: before its content, and in the directory at the end. */
const PATHS = 2;

/**
 * Puts a folder into a zip (ZIP64 where it is large), as who asked sees it by now. Contents stream one after the other, as
 * they are. Another try begins anew and removes what the one before has left.
 */
export function archiveFolder({ storage }: { storage: Storage }): Handler<Payload> {
  return async (payload, delivery) => {
    const { job_id } = payload;
    const { database, organization_id, clock, settle } = delivery;
    const contents = await begin(payload, delivery);
    if (!contents) return;
    const now = clock();
    const files = filesOf(contents);
    const bytes = files.reduce((sum, { content }) => sum + content!.size_bytes, 0);
    const area = `archives/${job_id}`;
    await discardEarlier(delivery, storage, area);
    const kept = { database, storage };
    const paths = contents.items.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
    const limit = bytes + PATHS * paths + (contents.items.length + 1) * OVERHEAD;
    const body = zipOf(storage, contents.items, delivery.signal, telling(job_id, delivery));
    const stored = await storeFile(kept, { organization_id, area, body, limit, now }).catch((error) => {
      if (error instanceof Cancelled) return null;
      throw error;
    });
    if (!stored) return;
    try {
      await settle(async (work) => {
        if (!(await progressJob(work, job_id, { done: files.length, total: files.length }))) return;
        const result = { files: files.length, quarantined: contents.quarantined, size: stored.size };
        await succeedJob(work, job_id, { ...result, sha256: stored.sha256 });
        const file_name = exportFileName('フォルダー', now, job_id, 'zip');
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: 'application/zip' });
      });
    } finally {
      // This removes no file that a job keeps, only one that no job refers to.
      await discardFile(kept, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}

/** What is to be put into the zip; null where the job has ended meanwhile. */
async function begin(
  { job_id, folder_id, asking }: Payload,
  { part, delivery_id }: Delivery,
): Promise<Contents | null> {
  let contents: Contents | null = null;
  await part(async (work) => {
    if (!(await startJob(work, job_id))) return;
    const present = await presentActor(work, asking, 'cloud:read');
    if ('refused' in present) {
      throw new PermanentFailure(reasons.may_not_have_it().en, {
        code: present.refused,
      });
    }
    const asking_work = work.onBehalfOf(present.actor, delivery_id);
    contents = await contentsBelow(asking_work, folder_id, MOST).catch(gone);
    if (!contents.is_whole) {
      const message = reasonsOfCloud.too_many_items(MOST.items, MOST.path_bytes / MiB).en;
      throw new PermanentFailure(message, { code: 'too_large' });
    }
    await progressJob(work, job_id, { done: 0, total: filesOf(contents).length });
  });
  return contents;
}

function filesOf({ items }: Contents): Archived[] {
  return items.filter(({ content }) => content !== null);
}

/** The job was cancelled: nobody waits for the zip any more. */
class Cancelled extends Error {}

/** Milliseconds between two signs of progress. */
const EVERY = 500;

/** To be called before each file: says how many are in the zip by now. Errors: `Cancelled`. */
function telling(job_id: string, { part, clock }: Delivery): () => Promise<void> {
  let told_at = clock().getTime();
  let done = 0;
  return async () => {
    const now = clock().getTime();
    if (now - told_at >= EVERY) {
      let isOpen = false;
      await part(async (work) => {
        isOpen = await progressJob(work, job_id, { done });
      });
      if (!isOpen) throw new Cancelled();
      told_at = now;
    }
    done += 1;
  };
}

function gone(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new PermanentFailure(reasonsOfCloud.folder_gone().en, { code: error.code });
}

/** The bytes of the zip. Contents are opened one after the other, each after `next`. */
function zipOf(
  storage: Storage,
  items: readonly Archived[],
  signal: AbortSignal,
  next: () => Promise<void>,
): Readable {
  const zip = new ZipFile();
  const body = zip.outputStream.pipe(new PassThrough());
  zip.on('error', (error) => body.destroy(error as Error));
  signal.addEventListener('abort', () => body.destroy(signal.reason as Error), { once: true });
  for (const { path: place, changed_at, content } of items) {
    const path = pathInZip(place);
    const mtime = new Date(changed_at);
    if (!content) {
      zip.addEmptyDirectory(path, { mtime });
      continue;
    }
    const { storage_key, size_bytes: size } = content;
    zip.addReadStreamLazy(path, { mtime, compress: false, size }, (done) => {
      next()
        .then(() => storage.read(storage_key))
        .then(
          (stream) => done(null, stream),
          (error) => done(error, undefined as never),
        );
    });
  }
  zip.end();
  return body;
}

/** A name such as `A: notes` begins as a drive of Windows does, for which yazl refuses the whole archive. */
function pathInZip(path: string): string {
  return /^[a-z]:/i.test(path) ? `./${path}` : path;
}
