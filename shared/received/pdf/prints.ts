import type { Reader } from '../../kernel/reader.ts';
import type { Table, Work } from '../../kernel/work.ts';
import type { Continues } from '../../platform/jobs/orphans.ts';
import { RECEIVED_FILES } from '../files/record.ts';
import { renderReceivedJob } from './jobs.ts';
import type { RecordSheet } from './sheet.ts';

/** A picture that is printed as a page of its own. */
export type PrintedPicture = { file_id: string; storage_key: string; content_type: string };

/** What a job is to print: a picture, or the sheet, which also stands in for a picture that cannot be decoded. */
export type ReceivedPrint = {
  picture: PrintedPicture | null;
  sheet: RecordSheet;
  /** What names the content of the sheet. */
  sheet_key: string;
  /** Of the picture's PDF, and of the sheet's. */
  file_names: { picture: string | null; sheet: string };
};

const SHEETS: Table = { tableName: 'received_sheets', jsonAttributes: ['print'] };

/** Asks for a PDF. What it prints stands here, not in the queue, until it is rendered. */
export function renderReceived(work: Work, print: ReceivedPrint, job_id: string): void {
  work.insert(SHEETS, { job_id, print, created_at: work.now.toISOString() });
  work.enqueue(renderReceivedJob, { job_id }, { job_id });
}

/** What a job is to print; null where it has ended, or was asked for too long ago. */
export async function receivedPrint(
  { connection, organization_id }: Reader,
  job_id: string,
): Promise<ReceivedPrint | null> {
  const [row] = await connection.query<{ print: ReceivedPrint }>(
    'SELECT print FROM received_sheets WHERE organization_id = $1 AND job_id = $2',
    [organization_id, job_id],
  );
  return row?.print ?? null;
}

/** Forgets what a job printed: it has ended. */
export function endPrint(work: Work, job_id: string): void {
  work.run('DELETE FROM received_sheets WHERE organization_id = $1 AND job_id = $2', [
    work.organization_id,
    job_id,
  ]);
}

/** Notes that a picture cannot be decoded: from now on the sheet is printed at once. */
export function notePictureUnreadable(work: Work, { file_id }: PrintedPicture): void {
  work.update(RECEIVED_FILES, file_id, { is_unreadable: true });
}

/** PDFs whose jobs were lost are rendered anew. */
export const continueReceived: Continues = async (work, job_ids) => {
  const rows = await work.connection.query<{ job_id: string }>(
    'SELECT job_id FROM received_sheets WHERE organization_id = $1 AND job_id = ANY ($2)',
    [work.organization_id, job_ids],
  );
  for (const { job_id } of rows) work.enqueue(renderReceivedJob, { job_id }, { job_id });
  return rows.map(({ job_id }) => job_id);
};
