import { domain } from '../platform/domain.ts';
import { signSweeps } from './life/sweeps.ts';
import { signMails } from './mails/purposes.ts';
import { signMeasures } from './measures.ts';
import { remindJob } from './reminders/jobs.ts';
import { signWords } from './words.ts';

export const sign = domain({
  name: 'sign',
  title: 'Sign',
  description: 'Documents that are sent for signing, sealed, and verified by anybody.',
  resources: {
    settings: { title: 'Settings of signing', description: 'What documents have that say nothing.' },
  },
  mails: signMails,
  sweeps: signSweeps,
  measures: signMeasures,
  jobs: [remindJob],
  words: signWords,
  records: { ja: '電子署名の書類', en: 'documents for signing' },
  audit_log: { path: '/api/v1/sign/audit-logs', about: 'sign' },
});
