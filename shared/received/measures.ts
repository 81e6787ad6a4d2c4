import { evidenceMeasures } from '../platform/evidence/measures.ts';
import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** What a PDF prints stands in its row until it is stored, and for a week where it was given up. */
const ofJobs = (statuses: string) =>
  countOldest(
    'received_sheets AS print',
    `(SELECT job.status FROM jobs AS job
       WHERE job.organization_id = print.organization_id AND job.id = print.job_id) IN (${statuses})`,
    'created_at',
  );

/** What operators see of received documents. What waits for a decision is the business of each organization. */
export const receivedMeasures: readonly Measure[] = [
  {
    name: 'received_pdfs_waiting',
    title: { en: 'PDFs to be made of pictures and records', ja: '作成待ちのPDF' },
    help: 'PDFs of received documents that are asked for and not made yet',
    unit: 'count',
    age: { en: 'it was asked for', ja: '依頼から' },
    query: ofJobs("'queued', 'running'"),
  },
  {
    name: 'received_pdfs_failed',
    title: { en: 'PDFs that were given up this week', ja: '今週中止したPDFの作成' },
    help: 'PDFs of received documents that could not be made in the last seven days',
    unit: 'count',
    age: { en: 'it was asked for', ja: '依頼から' },
    query: ofJobs("'failed'"),
  },
  {
    name: 'received_files_unreadable',
    title: { en: 'Files that could not be read this week', ja: '今週読み取れなかったファイル' },
    help: 'Files of received documents of the last seven days that are damaged or locked, or that no reader could read',
    unit: 'count',
    age: { en: 'its arrival', ja: '受信から' },
    query: countOldest(
      'received_files',
      "is_unreadable AND uploaded_at > now() - interval '7 days'",
      'uploaded_at',
    ),
  },
  {
    name: 'received_transfer_files_behind',
    title: { en: 'Transfer files that are not stored', ja: '保存されていない総合振込ファイル' },
    help: 'Transfer files that were asked for more than five minutes ago and are not stored',
    unit: 'count',
    age: { en: 'it was asked for', ja: '依頼から' },
    query: countOldest('received_transfer_files', "created_at < now() - interval '5 minutes'", 'created_at'),
  },
  ...evidenceMeasures,
];
