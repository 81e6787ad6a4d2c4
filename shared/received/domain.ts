import { domain } from '../platform/domain.ts';
import { receivedEvidence } from './evidence/source.ts';
import { receivedReferences } from './invoices/links.ts';
import { receivedWords } from './words.ts';

export const received = domain({
  name: 'received',
  title: 'Received documents',
  description: 'What purchase orders became: the invoices that suppliers will send.',
  resources: {},
  references: receivedReferences,
  evidence: receivedEvidence,
  words: receivedWords,
  records: { ja: '受け取った請求書などの書類', en: 'received invoices and other documents' },
  audit_log: { path: '/api/v1/receive/audit-logs', about: 'received documents' },
});
