import { domain } from '../platform/domain.ts';
import { documentBatch } from './documents/batch.ts';
import { signReferences } from './documents/companies.ts';
import { signDocumentSource } from './documents/file-source.ts';
import { signAuditSight, signEventSight } from './documents/sight.ts';
import { reasonsOfSign } from './failure-reasons.ts';
import { guestSweeps } from './guests/sweeps.ts';
import { signSweeps } from './life/sweeps.ts';
import { signMails } from './mails/purposes.ts';
import { signMeasures } from './measures.ts';
import { pointless } from './pointless-mails.ts';
import { redrawDocumentJob } from './redrawn/jobs.ts';
import { remindJob } from './reminders/jobs.ts';
import { renewSealJob, sealDocumentJob } from './sealing/jobs.ts';
import { tellOfSealKey } from './sealing/key-at-start.ts';
import { sealedFiles } from './sealing/verified-files.ts';
import { signWords } from './words.ts';

export const sign = domain({
  name: 'sign',
  title: 'Sign',
  description: 'Documents that are sent for signing, sealed, and verified by anybody.',
  resources: {
    documents: {
      title: 'Documents for signing',
      description: 'PDFs with their signers and fields, from draft to sealed.',
    },
    signing: {
      title: 'What signers call',
      description: 'With the link in their mail, without an account.',
    },
    settings: { title: 'Settings of signing', description: 'What documents have that say nothing.' },
    verification: {
      title: 'Verifying',
      description: 'What a sealed file proves, for everybody, and what a stored document proves.',
    },
  },
  pointless_mails: Object.values(pointless),
  failure_reasons: Object.values(reasonsOfSign),
  mails: signMails,
  sweeps: [...signSweeps, ...guestSweeps],
  started: tellOfSealKey,
  measures: signMeasures,
  batches: [documentBatch],
  file_sources: [signDocumentSource],
  verified_files: [sealedFiles],
  jobs: [remindJob, redrawDocumentJob, sealDocumentJob, renewSealJob],
  references: signReferences,
  guides: ['signing', 'sign-transitions', 'verifying-signed-documents'],
  words: signWords,
  records: { ja: '電子署名の書類', en: 'documents for signing' },
  event_sight: signEventSight,
  audit_log: {
    path: '/api/v1/sign/audit-logs',
    about: 'documents for signing',
    description:
      'What the staff changed, and that a guest signed, declined or forwarded. Of documents that you see; of erased ones to owner and admins. What guests did in detail is the trail of each document.',
    sight: signAuditSight,
  },
});
