import type { Job } from '../kernel/job.ts';
import { collectFilesJob, runBatchJob } from './batches/jobs.ts';
import { exportAccountingEvidenceJob, exportEvidenceJob, verifyEvidenceJob } from './evidence/jobs.ts';
import { exportJob } from './exports/jobs.ts';
import { revertImportJob, runImportJob, writeErrorReportJob } from './imports/jobs.ts';
import { sendMailJob } from './mailer/jobs.ts';
import { renderReportJob, writeReportJob } from './reports/jobs.ts';

/** The jobs that the platform itself declares; those of domains stand in their values. */
export const platformJobs: readonly Job[] = [
  sendMailJob,
  runImportJob,
  revertImportJob,
  writeErrorReportJob,
  exportJob,
  runBatchJob,
  collectFilesJob,
  writeReportJob,
  renderReportJob,
  verifyEvidenceJob,
  exportAccountingEvidenceJob,
  exportEvidenceJob,
];
