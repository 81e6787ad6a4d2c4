import type { Hash } from 'node:crypto';
import { completeLater, type Found, failUpload, storeUpload } from '../../../shared/cloud/uploads/finish.ts';
import type { UploadRow } from '../../../shared/cloud/uploads/record.ts';
import { lockTurn } from '../../../shared/cloud/uploads/turns.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { contentTypeOf, scanBefore } from '../../../shared/platform/intake/stored-content.ts';
import type { Steps } from '../../http/steps.ts';
import { inUpload, type Turn } from './turn.ts';

/**
 * Makes a file of an upload whose bytes have all come, and ends the turn; without their hash a worker does. Errors: those of
 * `storeUpload`, with which the upload has failed; `upload_locked`, `unavailable`, after which it can be tried again.
 */
export async function finishUpload(
  steps: Steps,
  row: UploadRow,
  turn: Turn,
  hash: Hash | null,
): Promise<UploadRow> {
  if (!hash) return leaveToWorker(steps, row, turn);
  const { storage, settings } = steps.context;
  const { size_bytes } = row;
  const storage_key = row.storage_key!;
  await storage.finish(storage_key, size_bytes);
  const found: Found = {
    sha256: hash.digest('hex'),
    content_type: await contentTypeOf(storage, storage_key, size_bytes),
    scan: scanBefore(settings, size_bytes),
  };
  const stored = await inUpload(steps, async (work) => {
    const locked = await lockTurn(work, row.id, turn.writer);
    return storeUpload(work, locked, found, settings.cloudQuotaBytes);
  }).catch(async (error) => {
    if (!(error instanceof Failure) || PASSING.has(error.code)) throw error;
    await inUpload(steps, async (work) =>
      failUpload(work, await lockTurn(work, row.id, turn.writer), error.code, found),
    );
    turn.left();
    throw error;
  });
  turn.left();
  return stored.row;
}

/** Failures that say nothing about the upload. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'upload_locked', 'internal_error']);

/** Has a worker read the bytes, once. */
export async function leaveToWorker(steps: Steps, row: UploadRow, turn: Turn): Promise<UploadRow> {
  const completing = await inUpload(steps, async (work) =>
    completeLater(work, await lockTurn(work, row.id, turn.writer)),
  );
  turn.left();
  return completing;
}
