import { z } from 'zod';
import { job } from '../../kernel/job.ts';

const HOUR = 3_600_000;

const shape = {
  queue: 'report-export',
  payload: z.strictObject({ job_id: z.string() }),
  attempts: 5,
  time_limit: 2 * HOUR,
} as const;

/**
 * Writes a list to a file. Its name has a number, which the first change of a release to what exports may be asked for raises (a
 * list, a filter or a value of one, a column, words): workers of the release before then leave the job to those that know them, instead of
 * passing over a filter. The name before stays for a release, for what was asked of that.
 */
export const exportJob = job({ name: 'platform.export_list_2', ...shape });

/** What was asked of the release before. */
export const exportJobOfBefore = job({ name: 'platform.export_list', ...shape });
