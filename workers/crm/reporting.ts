import { setTimeout as pause } from 'node:timers/promises';
import { progressJob } from '../../shared/platform/jobs/operations.ts';
import { type Delivery, Overtaken } from '../kernel/handler.ts';

/** The job of a merge was cancelled: its transaction is rolled back. */
export class MergeCancelled extends Error {
  override name = 'MergeCancelled';
}

export type Reporting = {
  /** Aborted when the job was cancelled, and with the delivery's own. */
  signal: AbortSignal;
  /** Sets where the number of records moved so far is read. */
  follow(moved: () => number): void;
  end(): Promise<void>;
};

/** Milliseconds between two looks at the job. */
const EVERY = 500;

/**
 * Writes the progress of a merge in transactions of its own, and aborts the merge once its job is cancelled. A job that
 * is done before the first look is not looked at.
 */
export function reporting(job_id: string, delivery: Delivery): Reporting {
  const cancelled = new AbortController();
  const ended = new AbortController();
  let moved = () => 0;

  async function report(): Promise<void> {
    for (;;) {
      await pause(EVERY, null, { signal: ended.signal });
      await look();
    }
  }

  async function look(): Promise<void> {
    let isOpen = true;
    try {
      await delivery.part(async (work) => {
        isOpen = await progressJob(work, job_id, { done: moved() });
      });
    } catch (error) {
      if (error instanceof Overtaken) return cancelled.abort(error);
      delivery.log.warn({ reason: String(error) }, 'Could not update the progress of a merge');
    }
    if (!isOpen) cancelled.abort(new MergeCancelled('The job was cancelled'));
  }

  const loop = report().catch(() => undefined);
  return {
    signal: AbortSignal.any([delivery.signal, cancelled.signal]),
    follow(counted) {
      moved = counted;
    },
    async end() {
      ended.abort();
      await loop;
    },
  };
}
