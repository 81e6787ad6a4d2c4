import { reasonsOfAttendance } from '../../shared/attendance/failure-reasons.ts';
import {
  lockRecalculation,
  membersConcerned,
  recalculateNext,
  waitsForAnother,
} from '../../shared/attendance/recalculation/run.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { type Handler, type Hooks, Postponed } from '../kernel/handler.ts';

type Payload = { recalculation_id: string; job_id: string };

/** So long a recalculation waits for the one before it. */
const LATER = 2_000;

/**
 * Computes the records of the members that a change concerns, some at a time. Each part commits with how far it came, so
 * another try goes on from there, and one that was done is found to be.
 */
export function recalculateRecords(): Handler<Payload> {
  return async ({ recalculation_id, job_id }, { part, settle, draining }) => {
    let state: 'runs' | 'waits' | 'over' = 'over';
    let done = 0;
    let total = 0;
    await part(async (work) => {
      const row = await lockRecalculation(work, recalculation_id);
      if (!row) return;
      if (await waitsForAnother(work, row.id)) {
        state = 'waits';
        return;
      }
      ({ total, done } = await membersConcerned(work, row));
      state = (await startJob(work, job_id)) ? 'runs' : 'over';
      setStatus(work, row.id, state === 'runs' ? 'running' : 'stopped');
    });
    if ((state as string) === 'waits') throw new Postponed(reasonsOfAttendance.recalculates().en, LATER);
    while ((state as string) === 'runs') {
      draining.throwIfAborted();
      await part(async (work) => {
        const row = await lockRecalculation(work, recalculation_id);
        const count = row ? await recalculateNext(work, row) : 0;
        if (!row || count === 0) {
          state = 'over';
          return;
        }
        done += count;
        if (await progressJob(work, job_id, { done: Math.min(done, total), total })) return;
        setStatus(work, row.id, 'stopped');
        state = 'over';
      });
    }
    await settle(async (work) => {
      const row = await lockRecalculation(work, recalculation_id);
      if (row?.status === 'stopped') return;
      await succeedJob(work, job_id, { members: total });
      if (!row) return;
      work.run('DELETE FROM attendance_recalculations WHERE organization_id = $1 AND id = $2', [
        work.organization_id,
        row.id,
      ]);
    });
  };
}

/** One that is given up leaves its days marked: the next change computes them, and so does a retry by an operator. */
export const recalculationHooks: Hooks<Payload> = {
  gaveUp: async ({ recalculation_id }, work) => setStatus(work, recalculation_id, 'stopped'),
};

function setStatus(work: Work, id: string, status: 'running' | 'stopped'): void {
  work.run('UPDATE attendance_recalculations SET status = $3 WHERE organization_id = $1 AND id = $2', [
    work.organization_id,
    id,
    status,
  ]);
}
