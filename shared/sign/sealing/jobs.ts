import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import type { Work } from '../../kernel/work.ts';

/**
 * Seals a document that all have signed. `job_id` is the job that staff wait for who had it tried again; null where the last
 * signer asks. Run twice, the second settling changes nothing.
 */
export const sealDocumentJob = job({
  name: 'sign.seal',
  queue: 'pdf-render',
  payload: z.strictObject({ document_id: z.string(), job_id: z.string().nullable() }),
  attempts: 5,
  time_limit: 120_000,
});

const MINUTE = 60_000;

/**
 * Milliseconds until the next try after `tries` that came to nothing since something outside does not answer: two minutes,
 * ten, fifty, four hours and ten. So the five tries outlast five hours, whatever they took.
 */
export function pauseOfOutage(tries: number): number {
  return 2 * MINUTE * 5 ** (tries - 1);
}

/** Asks for the seal of a document whose `sealing_status` became `pending` in this work. */
export function enqueueSeal(work: Work, document: { id: string }, job_id: string | null = null): void {
  work.enqueue(sealDocumentJob, { document_id: document.id, job_id }, { job_id });
}

/** Renews the time stamp of a sealed document before its authority's certificate ends. Run twice, the second one finds it done. */
export const renewSealJob = job({
  name: 'sign.renew_seal',
  queue: 'pdf-render',
  payload: z.strictObject({ document_id: z.string() }),
  attempts: 5,
  time_limit: 120_000,
});
