import type { Work } from '../../kernel/work.ts';
import type { Continues } from '../jobs/orphans.ts';
import { reasons } from '../operators/reasons.ts';
import type { Orphans } from '../outbox/orphans.ts';
import type { ImportDomain } from './domain.ts';
import { revertImportJob, runImportJob } from './jobs.ts';
import { giveUpRevert } from './run/revert.ts';
import { failImport } from './run/run.ts';

type AtWork = { id: string; job_id: string; status: string };

const AT_WORK = `status IN ('queued', 'running', 'reverting')`;

/**
 * Imports and their reverts continue from the checkpoint. Their rows are not locked: whoever ends one ends its job, which
 * the caller has locked, and a run that finds its import ended does nothing.
 */
export const continueImports: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<AtWork>(
    `SELECT id, job_id, status FROM imports WHERE organization_id = $1 AND job_id = ANY ($2) AND ${AT_WORK}`,
    [work.organization_id, job_ids],
  );
  for (const { id: import_id, job_id, status } of rows) {
    const job = status === 'reverting' ? revertImportJob : runImportJob;
    work.enqueue(job, { import_id, job_id }, { job_id });
  }
  return rows.map(({ job_id }) => job_id);
};

const LOST = {
  code: 'work_lost',
  message: reasons.import_lost().en,
};

/** Running imports whose job has ended without them. An open job continues its import itself. */
export function orphanedImports(domains: readonly ImportDomain[]): Orphans {
  return {
    find: `SELECT organization_id, id FROM imports WHERE ${AT_WORK} AND (organization_id, job_id) IN (
      SELECT organization_id, job_id FROM imports WHERE ${AT_WORK}
      EXCEPT SELECT organization_id, job_id FROM outbox WHERE job_id IS NOT NULL)`,
    restore: async (work, ids) => {
      const orphans = await lockOrphans(work, ids);
      for (const { id: import_id, job_id, status } of orphans) {
        const named = { import_id, job_id };
        if (status === 'reverting') await giveUpRevert(work, named, LOST);
        else await failImport(work, domains, named, LOST, { keepsFile: true });
      }
      return orphans.length;
    },
  };
}

async function lockOrphans({ connection, organization_id }: Work, ids: readonly string[]): Promise<AtWork[]> {
  const locked = await connection.query<AtWork>(
    `SELECT id, job_id, status FROM imports WHERE organization_id = $1 AND id = ANY ($2) AND ${AT_WORK}
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    [organization_id, ids],
  );
  const cared_for = await connection.query<{ job_id: string }>(
    `SELECT job_id FROM outbox WHERE organization_id = $1 AND job_id = ANY ($2)
      UNION SELECT id FROM jobs WHERE organization_id = $1 AND id = ANY ($2) AND status IN ('queued', 'running')`,
    [organization_id, locked.map(({ job_id }) => job_id)],
  );
  const known = new Set(cared_for.map(({ job_id }) => job_id));
  return locked.filter(({ job_id }) => !known.has(job_id));
}
