import { newGenerated } from '../../jobs/generated.ts';
import type { NewJob } from '../../jobs/operations.ts';
import type { Table, Work } from '../../kernel/work.ts';
import type { Print } from '../print/model.ts';
import { TEMPLATE_VERSION } from '../print/template-version.ts';
import { renderPrintJob } from './jobs.ts';

/** What was frozen of an issued document, and its PDF once that is there. */
export type FrozenPrint = {
  document_id: string;
  kind: string;
  print: Print;
  file_name: string;
  /** The one that was current on issue; the one that rendered it, once it is ready. */
  template_version: string;
  status: 'rendering' | 'ready' | 'failed';
  storage_key: string | null;
  sha256: string | null;
  size: number | string | null;
  rendered_at: string | null;
  error: string | null;
  created_at: string;
};

const PRINTS: Table = { tableName: 'invoicing_prints', jsonAttributes: ['print'] };

/** The job that a person who asks for a PDF waits for; whoever may read the document sees it. */
export const pdfJob: NewJob = { kind: 'invoicing.document.pdf', scope: 'invoicing:read', unit: null };

/** Names the content of an issued document's PDF. */
export const printKey = (document_id: string) => `invoicing.print ${document_id}`;

/**
 * Freezes what an issued document prints and asks for its PDF, in the transaction that issues it. Once for each
 * document: a second time breaks the primary key.
 */
export async function freezePrint(
  work: Work,
  print: Print,
  document: { id: string; kind: string; file_name: string },
): Promise<void> {
  const { id: document_id, kind, file_name } = document;
  work.insert(PRINTS, {
    ...{ document_id, kind, print, file_name, template_version: TEMPLATE_VERSION, status: 'rendering' },
    created_at: work.now.toISOString(),
  });
  await newGenerated(work, printKey(document_id), pdfJob, (job_id) => {
    work.enqueue(renderPrintJob, { document_id, job_id }, { job_id });
  });
}
