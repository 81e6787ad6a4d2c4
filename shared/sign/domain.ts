import { domain } from '../platform/domain.ts';
import { signSweeps } from './life/sweeps.ts';
import { signMails } from './mails/purposes.ts';
import { signMeasures } from './measures.ts';
import { redrawDocumentJob } from './redrawn/jobs.ts';
import { remindJob } from './reminders/jobs.ts';
import { sealDocumentJob } from './sealing/jobs.ts';
import { signWords } from './words.ts';

export const sign = domain({
  name: 'sign',
  title: 'Sign',
  description: 'Documents that are sent for signing, sealed, and verified by anybody.',
  resources: {
    settings: { title: 'Settings of signing', description: 'What documents have that say nothing.' },
    verification: {
      title: 'Verifying',
      description: 'What a sealed file proves, for everybody, and what a stored document proves.',
    },
  },
  mails: signMails,
  sweeps: signSweeps,
  measures: signMeasures,
  jobs: [remindJob, redrawDocumentJob, sealDocumentJob],
  words: signWords,
  records: { ja: '電子署名の書類', en: 'documents for signing' },
  audit_log: { path: '/api/v1/sign/audit-logs', about: 'sign' },
});
