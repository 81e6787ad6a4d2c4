import { Readable } from 'node:stream';
import { exportFileName } from '../../shared/platform/exports/file.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { discardFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { transferBytes } from '../../shared/received/transfer-file/format.ts';
import { forgetPending, type PendingFile, pendingFile } from '../../shared/received/transfer-file/pending.ts';
import { discardEarlier } from '../exports/earlier-files.ts';
import { type Handler, PermanentFailure } from '../kernel/handler.ts';

export type StoreOptions = { storage: Storage };

const MEDIA_TYPE = 'text/plain; charset=Shift_JIS';

/** Stores a transfer file as the call made it. Another try writes the same bytes, and removes what the one before has left. */
export function storeTransferFile({ storage }: StoreOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const { database, organization_id, clock, part, settle } = delivery;
    let pending: PendingFile | null = null;
    let isOpen = false;
    await part(async (work) => {
      isOpen = await startJob(work, job_id);
      if (isOpen) pending = await pendingFile(work, job_id);
      else forgetPending(work, job_id);
    });
    if (!isOpen) return;
    const file = pending as PendingFile | null;
    if (!file) throw new PermanentFailure(reasons.asked_too_long_ago().en);
    const now = clock();
    const kept = { database, storage };
    const area = `transfers/${job_id}`;
    await discardEarlier(delivery, storage, area);
    const bytes = transferBytes(file.content);
    const body = Readable.from([bytes], { objectMode: false });
    const stored = await storeFile(kept, { organization_id, area, body, limit: bytes.length, now });
    try {
      await settle(async (work) => {
        const { content, ...result } = file;
        forgetPending(work, job_id);
        if (!(await progressJob(work, job_id, { done: file.records, total: file.records }))) return;
        await succeedJob(work, job_id, { ...result, sha256: stored.sha256 });
        const file_name = exportFileName('総合振込', now, job_id, 'txt');
        await keepJobFile(work, job_id, { ...stored, file_name, media_type: MEDIA_TYPE });
      });
    } finally {
      // This removes no file that a job keeps, only one that no job refers to.
      await discardFile(kept, organization_id, stored.storage_key).catch(() => undefined);
    }
  };
}
