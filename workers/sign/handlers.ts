import { remindJob } from '../../shared/sign/reminders/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { remind } from './remind.ts';

/** The jobs of sign. */
export function signHandlers(): Handled[] {
  return [handles(remindJob, remind)];
}
