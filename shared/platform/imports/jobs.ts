import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { errorLanguages } from './cell-errors.ts';

const payload = z.strictObject({ import_id: z.string(), job_id: z.string() });

const HOUR = 3_600_000;

/** Reads the file of an import and merges its rows, from where an earlier run was. */
export const runImportJob = job({
  name: 'imports.run',
  queue: 'csv-import',
  payload,
  attempts: 10,
  time_limit: 12 * HOUR,
});

/** Undoes an import, from where an earlier run was. */
export const revertImportJob = job({
  name: 'imports.revert',
  queue: 'csv-import',
  payload,
  attempts: 10,
  time_limit: 12 * HOUR,
});

/** Writes the faulty rows of an import to a file for a spreadsheet. */
export const writeErrorReportJob = job({
  name: 'imports.write_error_report',
  queue: 'report-export',
  payload: payload.extend({ lang: z.enum(errorLanguages) }),
  attempts: 5,
  time_limit: HOUR,
});
