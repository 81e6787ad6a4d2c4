import type { Work } from '../../kernel/work.ts';
import { reasons } from '../operators/reasons.ts';
import type { Orphans } from '../outbox/orphans.ts';
import { failJob } from './operations.ts';

/**
 * What a domain does for those of the orphaned jobs that are its own: asks for the work again where that is safe.
 * Answers the jobs that it takes care of.
 */
export type Continues = (work: Work, job_ids: readonly string[]) => Promise<string[]>;

/** Those of the jobs whose delivery is not asked for yet, since they wait for something else first. */
export type Waits = (work: Work, job_ids: readonly string[]) => Promise<string[]>;

const LOST = {
  code: 'work_lost',
  message: reasons.work_lost().en,
};

/** Jobs without a delivery. A job that no domain continues fails, with a sentence for its requester. */
export function orphanedJobs(waiting: readonly Waits[], continuing: readonly Continues[]): Orphans {
  return {
    find: `SELECT organization_id, id FROM jobs WHERE status IN ('queued', 'running')
      EXCEPT SELECT organization_id, job_id FROM outbox WHERE job_id IS NOT NULL`,
    restore: async (work, ids) => {
      const orphans = await lockOrphans(work, ids, waiting);
      let left = orphans;
      for (const continues of continuing) {
        if (left.length === 0) break;
        const taken = new Set(await continues(work, left));
        left = left.filter((id) => !taken.has(id));
      }
      for (const id of left) await failJob(work, id, LOST);
      return orphans.length;
    },
  };
}

/**
 * Those without a delivery also once they are locked, less those that wait. What waits is read before the outbox: a job
 * stops to wait in the transaction that asks for its delivery, so one that does not wait any more has its delivery in the
 * later snapshot.
 */
async function lockOrphans(work: Work, ids: readonly string[], waiting: readonly Waits[]): Promise<string[]> {
  const { connection, organization_id } = work;
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM jobs WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('queued', 'running')
      ORDER BY id FOR UPDATE SKIP LOCKED`,
    [organization_id, ids],
  );
  const locked = rows.map(({ id }) => id);
  const waiting_ids: string[] = [];
  for (const waits of waiting) waiting_ids.push(...(await waits(work, locked)));
  const delivered = await connection.query<{ job_id: string }>(
    'SELECT job_id FROM outbox WHERE organization_id = $1 AND job_id = ANY ($2)',
    [organization_id, locked],
  );
  const cared_for = new Set([...waiting_ids, ...delivered.map(({ job_id }) => job_id)]);
  return locked.filter((id) => !cared_for.has(id));
}
