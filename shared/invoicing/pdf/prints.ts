import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import { shareJobFile } from '../../platform/jobs/files.ts';
import { generateOnce, newGenerated } from '../../platform/jobs/generated.ts';
import { type NewJob, succeedJob } from '../../platform/jobs/operations.ts';
import { keepFile } from '../../platform/storage/loose-files.ts';
import type { StoredFile } from '../../platform/storage/stored-file.ts';
import { failWaitingMails, releaseWaitingMails } from '../emails/waiting.ts';
import type { Print } from '../print/model.ts';
import { TEMPLATE_VERSION } from '../print/template-version.ts';
import { renderPrintJob } from './jobs.ts';

/** What was frozen of an issued document, and its PDF once that is there. */
export type FrozenPrint = PrintState & { print: Print };

/** How far the PDF of an issued document is. */
export type PrintState = {
  file_name: string;
  status: 'rendering' | 'ready' | 'failed';
  storage_key: string | null;
  /** In hexadecimal. */
  sha256: string | null;
  /** In bytes. */
  size: number | null;
  rendered_at: string | null;
};

const PRINTS: Table = { tableName: 'invoicing_prints', jsonAttributes: ['print'] };

/** The job that a person who asks for a PDF waits for; whoever may read the document sees it. */
export const PDF_JOB: NewJob = { kind: 'invoicing.document.pdf', scope: 'invoicing:read', unit: null };

/** What a PDF is served as. */
export const PDF = 'application/pdf';

/** Names the content of an issued document's PDF. */
export const printKey = (document_id: string) => `invoicing.print ${document_id}`;

/**
 * Freezes what an issued document prints and asks for its PDF, in the transaction that issues it. Once for each
 * document: a second time breaks the primary key.
 */
export async function freezePrint(
  work: Work,
  print: Print,
  { id: document_id, file_name }: { id: string; file_name: string },
): Promise<void> {
  work.insert(PRINTS, {
    document_id,
    print,
    file_name,
    template_version: TEMPLATE_VERSION,
    status: 'rendering',
    created_at: work.now.toISOString(),
  });
  await newGenerated(work, printKey(document_id), PDF_JOB, (job_id) => {
    work.enqueue(renderPrintJob, { document_id, job_id }, { job_id });
  });
}

/** Has a frozen print rendered for another job: the one before has failed or was cancelled. */
export function renderAgain(work: Work, document_id: string, job_id: string): void {
  reopenPrint(work, document_id);
  work.enqueue(renderPrintJob, { document_id, job_id }, { job_id, priority: 'high' });
}

/** Has a print that was given up rendered again, for what waits for it. */
export async function renderFailed(work: Work, document_id: string): Promise<void> {
  await generateOnce(work, printKey(document_id), PDF_JOB, (job_id) =>
    renderAgain(work, document_id, job_id),
  );
}

/** A connection that is bound to an organization. */
type Bound = Pick<Reader, 'connection' | 'organization_id'>;

const STATE = 'file_name, status, storage_key, sha256, size, rendered_at';
const OF_DOCUMENT = 'FROM invoicing_prints WHERE organization_id = $1 AND document_id = $2';

/** What was frozen of a document; null where it was not issued. */
export async function frozenPrint(reader: Bound, document_id: string): Promise<FrozenPrint | null> {
  return rowOf<FrozenPrint>(reader, document_id, `SELECT print, ${STATE} ${OF_DOCUMENT}`);
}

/** How far the PDF of a document is; null where it was not issued. */
export async function printState(reader: Bound, document_id: string): Promise<PrintState | null> {
  return rowOf<PrintState>(reader, document_id, `SELECT ${STATE} ${OF_DOCUMENT}`);
}

/** The same of many documents; without those that were not issued. */
export async function printStates(
  { connection, organization_id }: Bound,
  document_ids: readonly string[],
): Promise<Map<string, PrintState>> {
  const rows = await connection.query<PrintState & { document_id: string }>(
    `SELECT document_id, ${STATE} FROM invoicing_prints WHERE organization_id = $1 AND document_id = ${oneOf('$2')}`,
    [organization_id, document_ids],
  );
  return new Map(rows.map(({ document_id, ...state }) => [document_id, stateOf(state)]));
}

async function rowOf<State extends PrintState>(
  { connection, organization_id }: Bound,
  document_id: string,
  text: string,
): Promise<State | null> {
  const [row] = await connection.query<State>(text, [organization_id, document_id]);
  return row ? stateOf(row) : null;
}

function stateOf<State extends PrintState>(row: State): State {
  return { ...row, size: row.size === null ? null : Number(row.size) };
}

/** The stored PDF of a frozen print; null while there is none. */
export function fileOfPrint(found: PrintState): (StoredFile & { created_at: string }) | null {
  const { file_name, storage_key, sha256, size, rendered_at } = found;
  if (storage_key === null || sha256 === null || size === null || rendered_at === null) return null;
  return { storage_key, file_name, media_type: PDF, size, sha256, created_at: rendered_at };
}

/**
 * Keeps a rendered file as the document's PDF for as long as there is the document. Where an earlier rendering was
 * first, that one stays and the file is let go. Ends the job, which began at `began`, with the document's file.
 */
export async function settlePrint(
  work: Work,
  { document_id, job_id }: { document_id: string; job_id: string },
  rendered: { storage_key: string; size: number; sha256: string } | null,
  began: Date = work.now,
): Promise<void> {
  const text = `SELECT ${STATE} ${OF_DOCUMENT} FOR NO KEY UPDATE`;
  const found = await rowOf<PrintState>(work, document_id, text);
  if (!found) throw new Error(`${document_id} has no frozen print`);
  const file = fileOfPrint(found) ?? { ...rendered!, file_name: found.file_name, media_type: PDF };
  if (found.status !== 'ready') {
    await keepFile(work, file.storage_key);
    const rendered_at = work.now.toISOString();
    work.run(
      `UPDATE invoicing_prints SET status = 'ready', storage_key = $3, sha256 = $4, size = $5, rendered_at = $6,
         template_version = $7, error = NULL
       WHERE organization_id = $1 AND document_id = $2`,
      [
        work.organization_id,
        document_id,
        file.storage_key,
        file.sha256,
        file.size,
        rendered_at,
        TEMPLATE_VERSION,
      ],
    );
    await releaseWaitingMails(work, document_id);
  }
  shareJobFile(work, job_id, file);
  await succeedJob(work, job_id, { document_id, sha256: file.sha256, size: file.size }, began);
}

/** Notes that the PDF was given up, with the reason for people; the mails that waited for it have failed by it. */
export async function failPrint(
  work: Work,
  document_id: string,
  error: { code: string; message: string },
): Promise<void> {
  work.run(
    `UPDATE invoicing_prints SET status = 'failed', error = $3
      WHERE organization_id = $1 AND document_id = $2 AND status = 'rendering'`,
    [work.organization_id, document_id, error.message],
  );
  // A mail that begins to wait at the moment is seen only once the print is held.
  await work.flush();
  await failWaitingMails(work, document_id, error);
}

/** Notes that a PDF that was given up is tried again. */
export function reopenPrint(work: Work, document_id: string): void {
  work.run(
    `UPDATE invoicing_prints SET status = 'rendering', error = NULL
      WHERE organization_id = $1 AND document_id = $2 AND status = 'failed'`,
    [work.organization_id, document_id],
  );
}
