import type { Text } from '../../kernel/language.ts';
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
  sweep(
    'sign_expiries',
    {
      en: 'Cancels documents that were not signed in time',
      ja: '期限までに署名されなかった書類を取り消します',
    },
    dueExpiries,
  ),
  sweep(
    'sign_warnings',
    { en: 'Warns of documents that expire soon', ja: '期限の近い書類を知らせます' },
    dueWarnings,
  ),
  sweep(
    'sign_reminders',
    { en: 'Reminds signers who have not signed', ja: '署名していない人に催促します' },
    dueReminders,
  ),
  sweep(
    'sign_sealings',
    {
      en: 'Asks again for sealings that were left for ten minutes',
      ja: '10分間進まない封印を、もう一度依頼します',
    },
    leftSealings,
  ),
  sweep(
    'sign_renewals',
    {
      en: 'Asks for new stamps of seals before those they have end',
      ja: '封印のタイムスタンプを、期限の前に更新します',
    },
    dueRenewals,
  ),
  sweep(
    'sign_mail_endings',
    { en: 'Tells of mails whose delivery was given up', ja: '配信を中止したメールを知らせます' },
    untoldEndings,
  ),
];

function sweep(name: string, description: Text, due: DueDocuments): Sweep {
  return {
    name,
    description,
    every: MINUTE,
    run: (database, now, signal) => doWhatIsDue(due, database, now, signal),
  };
}
