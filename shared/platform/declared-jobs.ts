import type { Job } from '../kernel/job.ts';
import { collectFilesJob, runBatchJob } from './batches/jobs.ts';
import { exportAccountingEvidenceJob, exportEvidenceJob, verifyEvidenceJob } from './evidence/jobs.ts';
import { exportJob, exportJobOfBefore } from './exports/jobs.ts';
import { revertImportJob, runImportJob, runImportJobOfBefore, writeErrorReportJob } from './imports/jobs.ts';
import { sendMailJob } from './mailer/jobs.ts';
import { renderReportJob, writeReportJob, writeTitledReportJob } from './reports/jobs.ts';

/** The jobs that the platform itself declares; those of domains stand in their values. */
export const platformJobs: readonly Job[] = [
  sendMailJob,
  runImportJob,
  runImportJobOfBefore,
  revertImportJob,
  writeErrorReportJob,
  exportJob,
  exportJobOfBefore,
  runBatchJob,
  collectFilesJob,
  writeReportJob,
  writeTitledReportJob,
  renderReportJob,
  verifyEvidenceJob,
  exportAccountingEvidenceJob,
  exportEvidenceJob,
];
