import { Readable } from 'node:stream';
import { transaction } from '../../shared/db/transaction.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Grant } from '../../shared/kernel/scope.ts';
import { Work } from '../../shared/kernel/work.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { createJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { JobResource } from '../../shared/platform/jobs/record.ts';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { TestApp } from './app.ts';

/** Runs a step of a job as a worker does. */
export function jobStep<T>(
  { database }: TestApp,
  organization_id: string,
  run: (work: Work) => T | Promise<T>,
): Promise<T> {
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const work = new Work({ connection, now: new Date(), ...who }, { may_change_nothing: true });
      const result = await run(work);
      await commit(work.finish());
      return result;
    }),
  );
}

/** A queued job that holders of the scope may see. */
export function newJob(app: TestApp, organization_id: string, scope: Grant = '*'): Promise<JobResource> {
  return jobStep(app, organization_id, (work) =>
    createJob(work, { kind: 'crm.contacts.export', scope, unit: 'rows' }),
  );
}

/** Ends a job with that file, as the worker that made it does. */
export async function finishWithFile(
  app: TestApp,
  {
    organization_id,
    job_id,
    result = {},
  }: { organization_id: string; job_id: string; result?: Record<string, unknown> },
  content: string | Uint8Array,
  file_name = '顧客.csv',
): Promise<void> {
  const body = Readable.from([content], { objectMode: false });
  const where = { organization_id, area: 'jobs', limit: 1e9, now: new Date() };
  const stored = await storeFile(app.context, { ...where, body });
  await jobStep(app, organization_id, async (work) => {
    await keepJobFile(work, job_id, { ...stored, file_name, media_type: 'text/csv; charset=utf-8' });
    await succeedJob(work, job_id, result);
  });
}
