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
    title: 'PDFs to be made of pictures and records',
    help: 'PDFs of received documents that are asked for and not made yet',
    unit: 'count',
    age: 'it was asked for',
    query: ofJobs("'queued', 'running'"),
  },
  {
    name: 'received_pdfs_failed',
    title: 'PDFs that were given up this week',
    help: 'PDFs of received documents that could not be made in the last seven days',
    unit: 'count',
    age: 'it was asked for',
    query: ofJobs("'failed'"),
  },
  {
    name: 'received_files_unreadable',
    title: 'Files that could not be read this week',
    help: 'Files of received documents of the last seven days that are damaged or locked, or that no reader could read',
    unit: 'count',
    age: 'its arrival',
    query: countOldest(
      'received_files',
      "is_unreadable AND uploaded_at > now() - interval '7 days'",
      'uploaded_at',
    ),
  },
  {
    name: 'received_transfer_files_behind',
    title: 'Transfer files that are not stored',
    help: 'Transfer files that were asked for more than five minutes ago and are not stored',
    unit: 'count',
    age: 'it was asked for',
    query: countOldest('received_transfer_files', "created_at < now() - interval '5 minutes'", 'created_at'),
  },
  ...evidenceMeasures,
];
