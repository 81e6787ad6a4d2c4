import type { z } from 'zod';
import { reasonsOfInvoicing } from '../../shared/invoicing/failure-reasons.ts';
import type { renderPrintJob } from '../../shared/invoicing/pdf/jobs.ts';
import { failPrint, frozenPrint, reopenPrint, settlePrint } from '../../shared/invoicing/pdf/prints.ts';
import { startJob } from '../../shared/platform/jobs/operations.ts';
import { type Delivery, type Handler, type Hooks, PermanentFailure } from '../kernel/handler.ts';
import { type RenderOptions, withPrintFile } from './print-file.ts';

type Asked = z.output<typeof renderPrintJob.payload>;

/**
 * Renders what was frozen of an issued document and keeps the file for good. The document's PDF is made whatever
 * becomes of the job that tells of it; where it is there already, the job only ends.
 */
export function renderPrint(options: RenderOptions): Handler<Asked> {
  return async (asked, delivery) => {
    const { database, organization_id } = delivery;
    const began = delivery.clock();
    const found = await database.withConnection(organization_id, (connection) =>
      frozenPrint({ connection, organization_id }, asked.document_id),
    );
    if (!found) throw new PermanentFailure(reasonsOfInvoicing.not_issued().en);
    if (found.status === 'ready') return delivery.settle((work) => settlePrint(work, asked, null));
    const telling = setTimeout(() => tellRunning(asked, delivery), SOON);
    try {
      await withPrintFile(options, found.print, delivery, async (file) => {
        clearTimeout(telling);
        await delivery.settle((work) => settlePrint(work, asked, file, began));
      });
    } finally {
      clearTimeout(telling);
    }
  };
}

/** What is written beside the job when it is given up, and when an operator has it tried again. */
export const printHooks: Hooks<Asked> = {
  gaveUp: async ({ document_id }, work, error) => failPrint(work, document_id, error),
  retried: async ({ document_id }, work) => reopenPrint(work, document_id),
};

/** Most documents are rendered within these milliseconds; reporting that they run is not worth a transaction. */
const SOON = 200;

/** A failure here is harmless: the end of the job is reported by its own transaction. */
function tellRunning({ job_id }: Asked, delivery: Delivery): void {
  delivery
    .part(async (work) => {
      await startJob(work, job_id);
    })
    .catch((error) =>
      delivery.log.debug({ reason: String(error) }, 'Could not record that a job is running'),
    );
}
