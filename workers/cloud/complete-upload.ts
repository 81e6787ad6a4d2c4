import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import {
  completeAgain,
  completeNoLonger,
  type Found,
  failUpload,
  storeUpload,
} from '../../shared/cloud/uploads/finish.ts';
import { lockUpload } from '../../shared/cloud/uploads/queries.ts';
import type { UploadRow } from '../../shared/cloud/uploads/record.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { contentTypeOf, scanBefore } from '../../shared/platform/intake/stored-content.ts';
import type { WorkerSettings } from '../../shared/platform/settings/settings.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { presentActor } from '../batches/present-actor.ts';
import type { Delivery, Handler, Hooks } from '../kernel/handler.ts';

export type CompleteOptions = {
  storage: Storage;
  settings: Pick<WorkerSettings, 'clamdUrl' | 'clamdMaxBytes'>;
  installation_bytes: number;
};

/**
 * Makes a file of an upload whose bytes have all come and whose hash no process knows: reads them once, and stores it with
 * the rights that its maker has by now. An upload that was ended meanwhile stays so.
 */
export function completeUpload(options: CompleteOptions): Handler<{ upload_id: string }> {
  const { storage, settings, installation_bytes } = options;
  return async ({ upload_id }, delivery) => {
    const row = await completing(delivery, upload_id);
    if (!row) return;
    const { size_bytes } = row;
    const storage_key = row.storage_key!;
    await storage.finish(storage_key, size_bytes);
    const found: Found = {
      sha256: await sha256Of(storage, storage_key, delivery),
      content_type: await contentTypeOf(storage, storage_key, size_bytes),
      scan: scanBefore(settings, size_bytes),
    };
    const settled = (run: (work: Work, row: UploadRow) => Promise<unknown>) =>
      delivery.settle(async (work) => {
        const locked = await lockUpload(work, upload_id);
        if (locked.status === 'completing') await run(work, locked);
      });
    try {
      await settled((work, locked) => store(work, locked, found, installation_bytes, delivery));
    } catch (error) {
      const code = refusalOf(error);
      if (!code) throw error;
      await settled((work, locked) => failUpload(work, locked, code, found));
    }
  };
}

/** An upload does not wait for a completion that was given up, but does for one that an operator has tried again. */
export const completeHooks: Hooks<{ upload_id: string }> = {
  async gaveUp({ upload_id }, work) {
    const row = await lockedUpload(work, upload_id);
    if (row) completeNoLonger(work, row);
  },
  async retried({ upload_id }, work) {
    const row = await lockedUpload(work, upload_id);
    if (row) completeAgain(work, row);
  },
};

/** The upload that waits; null where there is none any more. */
async function completing({ part }: Delivery, id: string): Promise<UploadRow | null> {
  let row: UploadRow | null = null;
  await part(async (work) => {
    const found = await lockedUpload(work, id);
    row = found?.status === 'completing' ? found : null;
  });
  return row;
}

/** The row, locked; null once it is forgotten. */
function lockedUpload(work: Work, id: string): Promise<UploadRow | null> {
  return lockUpload(work, id).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found') return null;
    throw error;
  });
}

async function sha256Of(storage: Storage, storage_key: string, { draining }: Delivery): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await storage.read(storage_key), hash, { signal: draining });
  return hash.digest('hex');
}

/** Errors: `folder_permission` for who may not upload any more, those of `storeUpload`. */
async function store(
  work: Work,
  row: UploadRow,
  found: Found,
  installation_bytes: number,
  { delivery_id }: Delivery,
): Promise<void> {
  const asking = { type: row.actor_type, id: row.actor_id, user_id: row.created_by };
  const present = await presentActor(work, asking, 'cloud:write');
  if ('refused' in present) throw new Failure('folder_permission');
  await storeUpload(work.onBehalfOf(present.actor, delivery_id), row, found, installation_bytes);
}

/** The code of a failure that another try meets again. */
function refusalOf(error: unknown): FailureCode | null {
  return error instanceof Failure && error.code !== 'unavailable' ? error.code : null;
}
