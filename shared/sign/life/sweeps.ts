import { MINUTE } from '../../platform/sweeps/expiry.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';
import { untoldEndings } from '../mails/untold.ts';
import { dueReminders } from '../reminders/due.ts';
import { dueWarnings } from '../reminders/warnings.ts';
import { dueRenewals } from '../sealing/due-renewals.ts';
import { type DueDocuments, doWhatIsDue } from './due.ts';
import { dueExpiries } from './expire.ts';
import { leftSealings } from './left-sealings.ts';

/** What time asks for of documents, each minute: an expiry before a reminder, so that nobody is reminded of what is over. */
export const signSweeps: readonly Sweep[] = [
  sweep('sign_expiries', 'Cancels documents that were not signed in time', dueExpiries),
  sweep('sign_warnings', 'Warns of documents that expire soon', dueWarnings),
  sweep('sign_reminders', 'Reminds signers who have not signed', dueReminders),
  sweep('sign_sealings', 'Asks again for sealings that were left for ten minutes', leftSealings),
  sweep('sign_renewals', 'Asks for new stamps of seals before those they have end', dueRenewals),
  sweep('sign_mail_endings', 'Tells of mails whose delivery was given up', untoldEndings),
];

function sweep(name: string, description: string, due: DueDocuments): Sweep {
  return {
    name,
    description,
    every: MINUTE,
    run: (database, now, signal) => doWhatIsDue(due, database, now, signal),
  };
}
