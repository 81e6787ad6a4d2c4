import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { encodings } from '../exports/record.ts';
import { reportLanguages } from './report.ts';

const MINUTE = 60_000;

/** Which report of which organization is to be a file; `asked` holds IDs, days and choices. */
export const reportOrder = z.strictObject({
  job_id: z.string(),
  report: z.string(),
  asked: z.record(z.string(), z.string()),
  language: z.enum(reportLanguages),
  encoding: z.enum(encodings),
  /** Whether a CSV file has titles for its headers, where its language was asked for; else the members in JSON. */
  titled: z.boolean().optional(),
  /** Which of the files that are streamed; of a job of an earlier release, which knew one, CSV. */
  format: z.string().default('csv'),
  /** Who asked, where the rows depend on that. */
  asking: z
    .strictObject({
      type: z.enum(['user', 'api_key', 'guest', 'system']),
      id: z.string(),
      user_id: z.string().nullable(),
    })
    .optional(),
});

export type ReportOrder = z.output<typeof reportOrder>;

const written = {
  queue: 'report-export',
  payload: reportOrder,
  attempts: 5,
  time_limit: 60 * MINUTE,
} as const;

/** Writes a report to a file of text, row by row: CSV, or a form of its own. */
export const writeReportJob = job({ name: 'platform.write_report', ...written });

/** The same with titles. A name of its own: workers of the release before refuse an order that names them. */
export const writeTitledReportJob = job({ name: 'platform.write_titled_report', ...written });

/** Renders a report as PDF; most of the time is Chromium's, and it may have to wait for its turn. */
export const renderReportJob = job({
  name: 'platform.render_report',
  queue: 'pdf-render',
  payload: reportOrder,
  attempts: 3,
  time_limit: 15 * MINUTE,
});
