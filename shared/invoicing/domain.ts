import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { documentBatches } from './actions/batches.ts';
import { depositBatch } from './actions/deposits.ts';
import { ageingReport } from './ageing/report.ts';
import { depositImport } from './deposits/imports/domain.ts';
import { depositRemarks } from './deposits/imports/line.ts';
import { depositReference } from './deposits/links.ts';
import { depositTimeline } from './deposits/timeline.ts';
import { documentReferences } from './documents/links.ts';
import { documentTimeline } from './documents/timeline.ts';
import { invoicingWarnings } from './documents/warnings.ts';
import { documentMail } from './emails/purpose.ts';
import { waitingJobs } from './emails/waiting.ts';
import { depositExport } from './exports/deposits.ts';
import { documentExports } from './exports/documents.ts';
import { lineExports } from './exports/lines.ts';
import { paymentExport } from './exports/payments.ts';
import { reasonsOfInvoicing } from './failure-reasons.ts';
import { documentImports } from './imports/domains.ts';
import { documentFiles, documentSources } from './pdf/contents.ts';
import { renderDraftJob, renderPrintJob } from './pdf/jobs.ts';
import { continueDrafts, continuePrints, orphanedPrints } from './pdf/orphans.ts';
import { issuedFiles } from './pdf/verified-files.ts';
import { pointless } from './pointless-mails.ts';
import { invoicingWords } from './words.ts';

export const invoicing = domain({
  name: 'invoicing',
  title: 'Invoicing',
  description: 'Quotations, invoices, delivery notes and purchase orders, from draft to payment.',
  resources: {
    quotations: { title: 'Quotations', description: 'What you offer, and until when.' },
    invoices: {
      title: 'Invoices',
      description: 'What you ask to be paid, their payments and what came of them.',
    },
    payments: { title: 'Payments', description: 'What was paid, over all invoices.' },
    deposits: { title: 'Deposits', description: 'Money as it came in, over invoices of one company.' },
    credit_notes: { title: 'Credit notes', description: 'What you take back of invoices.' },
    delivery_notes: { title: 'Delivery notes', description: 'What you delivered.' },
    purchase_orders: { title: 'Purchase orders', description: 'What you order from others.' },
    settings: {
      title: 'Settings of invoicing',
      description: 'What documents begin with and how they look.',
    },
  },
  file_words: {
    見積書: 'quotation',
    見積書明細: 'quotation_lines',
    入金: 'deposits',
    入金消込: 'payments',
    売掛金年齢表: 'aged_receivables',
    請求書: 'invoice',
    請求書明細: 'invoice_lines',
    納品書: 'delivery_note',
    納品書明細: 'delivery_note_lines',
    発注書: 'purchase_order',
    発注書明細: 'purchase_order_lines',
    返還請求書: 'credit_note',
    返還請求書明細: 'credit_note_lines',
    適格返還請求書: 'credit_note',
    下書き: 'draft',
  },
  exports: [...Object.values(documentExports), ...Object.values(lineExports), depositExport, paymentExport],
  imports: [...Object.values(documentImports), depositImport],
  batches: [...Object.values(documentBatches), depositBatch],
  file_sets: Object.values(documentFiles),
  verified_files: [issuedFiles],
  file_sources: documentSources,
  reports: [ageingReport],
  pointless_mails: Object.values(pointless),
  failure_reasons: Object.values(reasonsOfInvoicing),
  mails: [documentMail],
  sweeps: [
    expiry({
      table: 'invoicing_draft_prints',
      column: 'created_at',
      age: 7 * DAY,
      every: HOUR,
      description: {
        en: 'Removes the files of drafts, after 7 days',
        ja: '下書きのファイルを、7日後に削除します',
      },
    }),
  ],
  orphans: { rows: [orphanedPrints], continues: [continuePrints, continueDrafts], waits: waitingJobs },
  references: [depositReference, ...documentReferences],
  timeline: [documentTimeline, depositTimeline],
  words: invoicingWords,
  warnings: [...invoicingWarnings, ...depositRemarks],
  records: {
    ja: '見積書・請求書・納品書・発注書・入金',
    en: 'quotations, invoices, delivery notes, purchase orders and payments',
  },
  audit_log: { path: '/api/v1/invoices/audit-logs', about: 'invoicing' },
  guides: ['quotation-to-payment', 'closing-a-month-of-sales', 'document-transitions', 'consumption-tax'],
  jobs: [renderPrintJob, renderDraftJob],
});
