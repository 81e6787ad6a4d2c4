import { eraseJob, removeRestJob } from '../../shared/forms/erasing/jobs.ts';
import { summaryJob } from '../../shared/forms/summary/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { erase } from './erase.ts';
import { removeRest } from './remove-rest.ts';
import { summarize } from './summarize.ts';

/** The jobs of forms. */
export function formsHandlers(): Handled[] {
  return [handles(eraseJob, erase()), handles(removeRestJob, removeRest), handles(summaryJob, summarize)];
}
