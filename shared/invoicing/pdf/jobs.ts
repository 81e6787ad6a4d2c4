import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const SECOND = 1_000;

/** Renders what was frozen of an issued document, once. The rendering itself is cut at 30 s; it may wait its turn. */
export const renderPrintJob = job({
  name: 'invoicing.render_print',
  queue: 'pdf-render',
  payload: z.strictObject({ document_id: z.string(), job_id: z.string() }),
  attempts: 5,
  time_limit: 120 * SECOND,
});

/** Renders a draft that somebody waits for. */
export const renderDraftJob = job({
  name: 'invoicing.render_draft',
  queue: 'pdf-render',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 3,
  time_limit: 120 * SECOND,
  priority: 'high',
});
