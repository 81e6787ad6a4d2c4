import { draftPrint, endDraft } from '../../shared/invoicing/pdf/drafts.ts';
import { PDF } from '../../shared/invoicing/pdf/prints.ts';
import { keepJobFile } from '../../shared/platform/jobs/files.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { type Delivery, type Handler, PermanentFailure } from '../kernel/handler.ts';
import { type RenderOptions, withPrintFile } from './print-file.ts';

type Draft = Awaited<ReturnType<typeof draftPrint>>;

/** Renders a draft; its file is that of the job, and goes when that does. */
export function renderDraft(options: RenderOptions): Handler<{ job_id: string }> {
  return async ({ job_id }, delivery) => {
    const { is_open, draft } = await begin(job_id, delivery);
    if (!is_open) return delivery.settle(async (work) => endDraft(work, job_id));
    if (!draft) throw new PermanentFailure(reasons.asked_too_long_ago().en);
    await withPrintFile(options, draft.print, delivery, (file) =>
      delivery.settle(async (work) => {
        endDraft(work, job_id);
        if (!(await progressJob(work, job_id, { done: 1, total: 1 }))) return;
        await keepJobFile(work, job_id, { ...file, file_name: draft.file_name, media_type: PDF });
        await succeedJob(work, job_id, { sha256: file.sha256, size: file.size });
      }),
    );
  };
}

async function begin(job_id: string, delivery: Delivery): Promise<{ is_open: boolean; draft: Draft }> {
  let is_open = false;
  let draft: Draft = null;
  await delivery.part(async (work) => {
    is_open = await startJob(work, job_id);
    draft = await draftPrint(work, job_id);
  });
  return { is_open, draft };
}
