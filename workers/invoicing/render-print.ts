import type { z } from 'zod';
import type { renderPrintJob } from '../../shared/invoicing/pdf/jobs.ts';
import {
  type FrozenPrint,
  failPrint,
  frozenPrint,
  reopenPrint,
  settlePrint,
} from '../../shared/invoicing/pdf/prints.ts';
import { startJob } from '../../shared/jobs/operations.ts';
import { type Delivery, type Handler, type Hooks, Hopeless } from '../kernel/handler.ts';
import { type RenderOptions, withPrintFile } from './print-file.ts';

type Asked = z.output<typeof renderPrintJob.payload>;

/**
 * Renders what was frozen of an issued document and keeps the file for good. The document's PDF is made whatever
 * becomes of the job that tells of it; where it is there already, the job only ends.
 */
export function renderPrint(options: RenderOptions): Handler<Asked> {
  return async (asked, delivery) => {
    const found = await begin(asked, delivery);
    if (!found) throw new Hopeless('The document was not issued');
    if (found.status === 'ready') return delivery.settle((work) => settlePrint(work, asked, null));
    await withPrintFile(options, found.print, delivery, (file) =>
      delivery.settle((work) => settlePrint(work, asked, file)),
    );
  };
}

/** What is written beside the job when it is given up, and when an operator has it tried again. */
export const printHooks: Hooks<Asked> = {
  gaveUp: async ({ document_id }, work, error) => failPrint(work, document_id, error),
  retried: async ({ document_id }, work) => reopenPrint(work, document_id),
};

async function begin({ document_id, job_id }: Asked, delivery: Delivery): Promise<FrozenPrint | null> {
  let found: FrozenPrint | null = null;
  await delivery.part(async (work) => {
    await startJob(work, job_id);
    found = await frozenPrint(work, document_id);
  });
  return found;
}
