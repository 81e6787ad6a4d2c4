import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import type { Job } from '../../kernel/job.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import {
  type ReportOrder,
  renderReportJob,
  type reportOrder,
  writeReportJob,
  writeTitledReportJob,
} from './jobs.ts';
import type { FileOfRows } from './report.ts';

/** Lines that an answer or a PDF holds at most; a file for a spreadsheet has no such bound. */
export const MOST_LINES = 20_000;

/** What a report is wanted as; `json` is answered at once, by the request itself. */
export type WantedFile = Omit<ReportOrder, 'job_id' | 'report' | 'asking'>;

/** Names the content of a file: what was asked for, how it is written, and the revision of the rows. */
export function reportKey(
  report: FileOfRows,
  { format, asked, language, encoding, titled = false, asking }: Omit<ReportOrder, 'job_id' | 'report'>,
  revision: string,
): string {
  const said = Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1));
  const form =
    format === 'csv' ? [format, language, encoding, ...(titled ? ['titled'] : [])] : [format, language];
  const hash = createHash('sha256')
    .update(JSON.stringify([said, form, revision, ...(asking ? [asking.id] : [])]))
    .digest('hex');
  return `report ${report.name} ${hash}`;
}

/**
 * The content of the file that is wanted: its key, and how a worker is asked for it. Errors: `too_many_rows` where a PDF
 * would have more than 20,000 lines.
 */
export async function reportContent(reader: Reader, report: FileOfRows, wanted: WantedFile) {
  const state = await report.state(reader, wanted.asked);
  if (wanted.format === 'pdf') refuseTooMany(state.lines);
  return contentOfRows(reader, report, wanted, {
    job: jobOf(wanted),
    revision: state.revision,
  });
}

function jobOf({ format, titled }: WantedFile): Job<typeof reportOrder> {
  if (format === 'pdf') return renderReportJob;
  return titled ? writeTitledReportJob : writeReportJob;
}

/** The same of a file that a job of its own makes. */
export function contentOfRows(
  { actor }: Pick<Reader, 'actor'>,
  report: FileOfRows,
  wanted: WantedFile,
  { job, revision }: { job: Job<typeof reportOrder>; revision: string },
) {
  const asking = report.reads_as_asker ? { asking: pick(actor, ['type', 'id', 'user_id']) } : {};
  const order = { ...wanted, ...asking };
  return {
    key: reportKey(report, order, revision),
    enqueue: (work: Work, job_id: string) => {
      work.enqueue(job, { job_id, report: report.name, ...order }, { job_id });
    },
  };
}

/** Errors: `too_many_rows` beyond 20,000 lines. */
export function refuseTooMany(lines: number): void {
  if (lines <= MOST_LINES) return;
  throw new Failure('too_many_rows', {
    detail: {
      en: `The report has more than ${MOST_LINES} lines, which is the most that are answered this way: ask for fewer days, or for format=csv`,
      ja: `レポートが${MOST_LINES}行を超えています。この形式で取得できるのは${MOST_LINES}行までです。期間を短くするか、format=csv を指定してください`,
    },
  });
}
