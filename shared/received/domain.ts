import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { receivedInvoiceBatch } from './actions/batch.ts';
import { fileSentences } from './documents/file-warnings.ts';
import { fillInvoices } from './documents/fill.ts';
import { receivedReferences } from './documents/links.ts';
import { receivedEvidence } from './evidence/source.ts';
import { receivedMeasures } from './measures.ts';
import { renderReceivedJob } from './pdf/jobs.ts';
import { continueReceived } from './pdf/prints.ts';
import { receivedTimeline } from './timeline.ts';
import { storeTransferFileJob } from './transfer-file/jobs.ts';
import { pendingFileExpiry } from './transfer-file/pending.ts';
import { amountSentences } from './warnings.ts';
import { receivedWords } from './words.ts';

const DAY = 24 * HOUR;

export const received = domain({
  name: 'received',
  title: 'Received documents',
  description: 'What comes in from other companies: registered with its files, checked, decided on and paid.',
  resources: {
    invoices: { title: 'Received invoices', description: 'What suppliers ask to be paid.' },
    quotations: { title: 'Received quotations', description: 'What suppliers offer.' },
    purchase_orders: { title: 'Received purchase orders', description: 'What customers order.' },
    delivery_notes: { title: 'Received delivery notes', description: 'What suppliers delivered.' },
    settings: {
      title: 'Settings of received documents',
      description: 'How they are checked and how long they are kept.',
    },
  },
  file_words: { 控え: 'record_sheet', 総合振込: 'bank_transfers' },
  batches: [receivedInvoiceBatch],
  references: receivedReferences,
  timeline: [receivedTimeline],
  evidence: receivedEvidence,
  sweeps: [
    pendingFileExpiry,
    {
      name: 'unfilled_invoices',
      description: {
        en: 'Fills received invoices that the release before made; finds none once it is gone',
        ja: '以前の版で作成された受領請求書を補います。以前の版がなくなれば見つかりません',
      },
      every: HOUR,
      run: fillInvoices,
    },
    expiry({
      table: 'received_sheets',
      column: 'created_at',
      age: 7 * DAY,
      every: HOUR,
      description: {
        en: 'Forgets what the PDFs of received documents print, after 7 days',
        ja: '受領書類のPDFの内容を、7日後に削除します',
      },
    }),
  ],
  measures: receivedMeasures,
  orphans: { continues: [continueReceived] },
  jobs: [renderReceivedJob, storeTransferFileJob],
  words: receivedWords,
  warnings: [...amountSentences, ...fileSentences],
  records: { ja: '受け取った請求書などの書類', en: 'received invoices and other documents' },
  guides: ['received', 'received-transitions'],
  audit_log: { path: '/api/v1/receive/audit-logs', about: 'received documents' },
});
