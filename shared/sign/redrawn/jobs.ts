import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import type { Work } from '../../kernel/work.ts';

/** Draws what guests see of a document: its upload with the values of those who have signed. Run twice, it is drawn once. */
export const redrawDocumentJob = job({
  name: 'sign.redraw',
  queue: 'pdf-render',
  payload: z.strictObject({ document_id: z.string() }),
  attempts: 5,
  time_limit: 60_000,
  priority: 'high',
});

/** Asks for the PDF that guests see, after one of several signers has signed. */
export function enqueueRedraw(work: Work, document: { id: string }): void {
  work.enqueue(redrawDocumentJob, { document_id: document.id });
}
