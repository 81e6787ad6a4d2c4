import type { RecordAction } from '../../shared/platform/batches/action.ts';
import type { Batch } from '../../shared/platform/batches/batch.ts';
import {
  batchRequest,
  batchResult,
  endBatch,
  openEntries,
} from '../../shared/platform/batches/operations.ts';
import type { BatchRequest, OpenEntry } from '../../shared/platform/batches/record.ts';
import { keepResult, progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { type Delivery, type Handler, type Hooks, PermanentFailure, TryLater } from '../kernel/handler.ts';
import { type Doing, doToRecord } from './do-to-record.ts';

type Payload = { job_id: string };

export type BatchOptions = { batches: ReadonlyMap<string, Batch>; seal: SealSettings };

/** Records between two looks at the job: whether it was cancelled, and how far it is. */
const SLICE = 20;

/** The code of records whose turn never came. */
const REST = { cancelled: 'cancelled', given_up: 'gave_up' };

/**
 * Does one thing to many records, one after the other, each in a transaction of its own that notes the outcome too. So a
 * batch whose worker was killed goes on with the first record that nothing was done to, and a record is done once.
 */
export function runBatch({ batches, seal }: BatchOptions): Handler<Payload> {
  return async ({ job_id }, delivery) => {
    const begun = await begin(batches, job_id, delivery);
    const doing = begun && { ...begun, seal };
    let slice = doing ? await nextSlice(doing) : null;
    while (doing && slice && slice.length > 0) {
      for (const entry of slice) {
        delivery.draining.throwIfAborted();
        await doToRecord(doing, entry);
      }
      slice = await nextSlice(doing);
    }
    await delivery.settle(async (work) => {
      const result = await batchResult(work, job_id, REST.cancelled);
      endBatch(work, job_id);
      const isDone = await succeedJob(work, job_id, result);
      if (!isDone && result.entries.length > 0) await keepResult(work, job_id, result);
    });
  };
}

/** A batch that was given up says what came of its records until then. An operator can have it go on. */
export const batchHooks: Hooks<Payload> = {
  async gaveUp({ job_id }, work) {
    await keepResult(work, job_id, await batchResult(work, job_id, REST.given_up));
  },
};

/** What is to be done; null when the job has ended meanwhile. Throws where it was asked for too long ago. */
async function begin(
  batches: ReadonlyMap<string, Batch>,
  job_id: string,
  delivery: Delivery,
): Promise<Omit<Doing, 'seal'> | null> {
  let isOpen = false;
  let request: BatchRequest | null = null;
  await delivery.part(async (work) => {
    isOpen = await startJob(work, job_id);
    request = await batchRequest(work, job_id);
  });
  if (!isOpen) return null;
  if (!request) throw new PermanentFailure(reasons.asked_too_long_ago().en);
  return { job_id, request, action: actionOf(batches, request), delivery };
}

function actionOf(batches: ReadonlyMap<string, Batch>, { batch, action }: BatchRequest): RecordAction {
  const known = batches.get(batch)?.actions[action];
  if (!known) throw new TryLater(reasons.unknown_to_release(`${batch} ${action}`).en);
  return known;
}

/** The next records, with the progress until here; null once the job was cancelled. */
async function nextSlice({ job_id, request, delivery }: Doing): Promise<OpenEntry[] | null> {
  let slice: OpenEntry[] | null = null;
  await delivery.part(async (work) => {
    const entries = await openEntries(work, job_id, SLICE);
    const done = (entries[0]?.position ?? request.total + 1) - 1;
    const isOpen = await progressJob(work, job_id, { done });
    slice = isOpen ? entries : null;
  });
  return slice;
}
