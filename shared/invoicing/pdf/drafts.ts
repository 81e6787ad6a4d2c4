import { createHash } from 'node:crypto';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import type { Print } from '../print/model.ts';
import { TEMPLATE_VERSION } from '../print/template-version.ts';
import { pdfFileName } from './file-name.ts';
import { renderDraftJob } from './jobs.ts';

const DRAFTS: Table = { tableName: 'invoicing_draft_prints', jsonAttributes: ['print'] };

/** Names the content of a draft's PDF: all that it prints, and how. */
export function draftKey(document_id: string, print: Print): string {
  const hash = createHash('sha256').update(JSON.stringify(print)).digest('hex');
  return `invoicing.draft ${document_id} ${TEMPLATE_VERSION} ${hash}`;
}

/** What tells the files of drafts from each other, which have no number yet: `請求書_下書き_3f9x2k_株式会社山田商店.pdf`. */
function draftFileName(print: Print, job_id: string): string {
  return pdfFileName({ ...print, number: print.number ?? `${print.draft_mark}_${job_id.slice(-6)}` });
}

/** Asks for the PDF of a draft. What it prints stands here, not in the queue, until it is rendered. */
export function renderDraft(work: Work, print: Print, job_id: string): void {
  const created_at = work.now.toISOString();
  work.insert(DRAFTS, { job_id, print, file_name: draftFileName(print, job_id), created_at });
  work.enqueue(renderDraftJob, { job_id }, { job_id });
}

/** What a draft's job is to print; null where it has ended, or was asked for too long ago. */
export async function draftPrint(
  { connection, organization_id }: Reader,
  job_id: string,
): Promise<{ print: Print; file_name: string } | null> {
  const [row] = await connection.query<{ print: Print; file_name: string }>(
    'SELECT print, file_name FROM invoicing_draft_prints WHERE organization_id = $1 AND job_id = $2',
    [organization_id, job_id],
  );
  return row ?? null;
}

/** Forgets what a draft printed: its job has ended. */
export function endDraft(work: Work, job_id: string): void {
  work.run('DELETE FROM invoicing_draft_prints WHERE organization_id = $1 AND job_id = $2', [
    work.organization_id,
    job_id,
  ]);
}
