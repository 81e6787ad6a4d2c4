import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { receivedEvidence } from './evidence/source.ts';
import { receivedReferences } from './invoices/links.ts';
import { renderReceivedJob } from './pdf/jobs.ts';
import { continueReceived } from './pdf/prints.ts';
import { receivedWords } from './words.ts';

const DAY = 24 * HOUR;

export const received = domain({
  name: 'received',
  title: 'Received documents',
  description: 'What purchase orders became: the invoices that suppliers will send.',
  resources: {},
  references: receivedReferences,
  evidence: receivedEvidence,
  sweeps: [
    expiry({
      table: 'received_sheets',
      column: 'created_at',
      age: 7 * DAY,
      every: HOUR,
      description: 'Forgets what the PDFs of received documents print, after 7 days',
    }),
  ],
  orphans: { continues: [continueReceived] },
  jobs: [renderReceivedJob],
  words: receivedWords,
  records: { ja: '受け取った請求書などの書類', en: 'received invoices and other documents' },
  audit_log: { path: '/api/v1/receive/audit-logs', about: 'received documents' },
});
