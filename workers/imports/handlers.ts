import { bookkeeping, references } from '../../shared/domains.ts';
import type { Work } from '../../shared/kernel/work.ts';
import {
  revertImportJob,
  runImportJob,
  runImportJobOfBefore,
  writeErrorReportJob,
} from '../../shared/platform/imports/jobs.ts';
import { changeImport, lockImport, type Named } from '../../shared/platform/imports/run/checkpoint.ts';
import { politePace } from '../../shared/platform/imports/run/pace.ts';
import { giveUpRevert, runRevert } from '../../shared/platform/imports/run/revert.ts';
import { failImport, runImport } from '../../shared/platform/imports/run/run.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Handled, type Handler, type Hooks, handles } from '../kernel/handler.ts';
import { importDomains } from './domains.ts';
import { writeErrorReport } from './write-error-report.ts';

const given = { references, bookkeeping };

/** Imports and their reverts. `database_url` leads to the server itself, for COPY. */
export function importHandlers(options: { storage: Storage; database_url: string }): Handled[] {
  const { storage, database_url: direct_url } = options;
  const run: Handler<Named> = async (named, delivery) => {
    const pace = (most: number) => politePace(delivery.database, most);
    const { clock } = delivery;
    const runner = { direct_url, storage, domains: importDomains, given, pace, clock };
    await runImport(runner, named, delivery);
  };
  const hooks: Hooks<Named> = {
    gaveUp: (named, work, error) => failImport(work, importDomains, named, error, { keepsFile: true }),
    retried: retryImport,
  };
  return [
    handles(runImportJob, run, hooks),
    handles(runImportJobOfBefore, run, hooks),
    handles(
      revertImportJob,
      (named, delivery) => runRevert({ imports: importDomains, given }, named, delivery),
      {
        gaveUp: (named, work, error) => giveUpRevert(work, named, error),
        retried: retryRevert,
      },
    ),
    handles(writeErrorReportJob, writeErrorReport({ storage })),
  ];
}

/** An operator retries a failed import: it continues from its checkpoint if its file still exists. */
async function retryImport(named: Named, work: Work): Promise<void> {
  const row = await lockImport(work, named.import_id);
  if (row.status !== 'failed' || row.job_id !== named.job_id) return;
  changeImport(work, row, { status: 'queued', error: null, finished_at: null });
}

async function retryRevert(named: Named, work: Work): Promise<void> {
  const row = await lockImport(work, named.import_id);
  if (row.job_id !== named.job_id || row.revert === null || row.status !== row.revert.from) return;
  changeImport(work, row, { status: 'reverting' });
}
