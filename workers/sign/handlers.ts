import { redrawDocumentJob } from '../../shared/sign/redrawn/jobs.ts';
import { remindJob } from '../../shared/sign/reminders/jobs.ts';
import { renewSealJob, sealDocumentJob } from '../../shared/sign/sealing/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { redrawDocument } from './redraw.ts';
import { remind } from './remind.ts';
import { renewSeal } from './renew-seal.ts';
import { type SealOptions, sealDocument, sealHooks } from './seal.ts';

/** The jobs of sign. */
export function signHandlers(options: SealOptions): Handled[] {
  return [
    handles(remindJob, remind),
    handles(redrawDocumentJob, redrawDocument(options)),
    handles(sealDocumentJob, sealDocument(options), sealHooks),
    handles(renewSealJob, renewSeal(options)),
  ];
}
