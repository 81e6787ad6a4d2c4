import type { z } from 'zod';
import type { summaryJob } from '../../shared/forms/summary/jobs.ts';
import { summaryOf } from '../../shared/forms/summary/queries.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { Handler } from '../kernel/handler.ts';

type Asked = z.output<(typeof summaryJob)['payload']>;

/** Sums up the responses of a form; another try reads them anew. */
export const summarize: Handler<Asked> = async ({ job_id, form_id, ...period }, delivery) => {
  const { database, organization_id, delivery_id, clock, part, settle, signal } = delivery;
  let isOpen = false;
  await part(async (work) => {
    isOpen = await startJob(work, job_id);
  });
  if (!isOpen) return;
  const who = { actor: systemActor, organization_id, request_id: delivery_id, ip_address: null };
  const summary = await database.withConnection(
    organization_id,
    (connection) => summaryOf({ ...who, connection, now: clock() }, form_id, period),
    signal,
  );
  await settle(async (work) => {
    await succeedJob(work, job_id, { summary });
  });
};
