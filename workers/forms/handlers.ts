import { summaryJob } from '../../shared/forms/summary/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { summarize } from './summarize.ts';

/** The jobs of forms. */
export function formsHandlers(): Handled[] {
  return [handles(summaryJob, summarize)];
}
