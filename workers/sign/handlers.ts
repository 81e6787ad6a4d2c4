import type { Storage } from '../../shared/platform/storage/storage.ts';
import { redrawDocumentJob } from '../../shared/sign/redrawn/jobs.ts';
import { remindJob } from '../../shared/sign/reminders/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { redrawDocument } from './redraw.ts';
import { remind } from './remind.ts';

/** The jobs of sign. */
export function signHandlers({ storage }: { storage: Storage }): Handled[] {
  return [handles(remindJob, remind), handles(redrawDocumentJob, redrawDocument({ storage }))];
}
