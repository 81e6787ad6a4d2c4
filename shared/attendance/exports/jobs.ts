import { job } from '../../kernel/job.ts';
import { reportOrder } from '../../platform/reports/jobs.ts';

const MINUTE = 60_000;

/** Renders the months of members, a page each; a thousand of them take minutes, most of which are Chromium's. */
export const renderSheetsJob = job({
  name: 'attendance.render_sheets',
  queue: 'pdf-render',
  payload: reportOrder,
  attempts: 3,
  time_limit: 15 * MINUTE,
});
