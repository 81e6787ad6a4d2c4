import { z } from 'zod';
import { job } from '../../kernel/job.ts';
import { errorLanguages } from './cell-errors.ts';

const payload = z.strictObject({ import_id: z.string(), job_id: z.string() });

const HOUR = 3_600_000;

const run = { queue: 'csv-import', payload, attempts: 10, time_limit: 12 * HOUR } as const;

/**
 * Reads the file of an import and merges its rows, from where an earlier run was. Its name has a number, which the first change of
 * a release to the fields of imports raises, as that of exports: workers of the release before fail an import with a field that they
 * do not know. The name before stays for a release.
 */
export const runImportJob = job({ name: 'imports.run_2', ...run });

/** What was asked of the release before. */
export const runImportJobOfBefore = job({ name: 'imports.run', ...run });

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
