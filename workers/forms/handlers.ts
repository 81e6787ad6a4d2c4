import { eraseJob } from '../../shared/forms/erasing/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { erase } from './erase.ts';

/** The jobs of forms. */
export function formsHandlers(): Handled[] {
  return [handles(eraseJob, erase())];
}
