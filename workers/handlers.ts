import { domains, evidenceSources, fileSources } from '../shared/domains.ts';
import { collectFilesJob, runBatchJob } from '../shared/platform/batches/jobs.ts';
import {
  exportAccountingEvidenceJob,
  exportEvidenceJob,
  verifyEvidenceJob,
} from '../shared/platform/evidence/jobs.ts';
import { exportJob, exportJobOfBefore } from '../shared/platform/exports/jobs.ts';
import { openScanner } from '../shared/platform/intake/open-scanner.ts';
import { sendMailJob } from '../shared/platform/mailer/jobs.ts';
import { purposesOf } from '../shared/platform/mailer/purposes.ts';
import type { Transport } from '../shared/platform/mailer/transport.ts';
import { outsideServices } from '../shared/platform/outside/open.ts';
import { renderReportJob, writeReportJob, writeTitledReportJob } from '../shared/platform/reports/jobs.ts';
import { secretKeysOf } from '../shared/platform/secrets/keys.ts';
import type { WorkerSettings } from '../shared/platform/settings/settings.ts';
import type { Storage } from '../shared/platform/storage/storage.ts';
import type { Sweep } from '../shared/platform/sweeps/sweep.ts';
import { accountingHandlers } from './accounting/handlers.ts';
import { attendanceHandlers } from './attendance/handlers.ts';
import { batches, file_sets } from './batches/batches.ts';
import { collectFiles, filesHooks } from './batches/collect-files.ts';
import { batchHooks, runBatch } from './batches/run-batch.ts';
import { cloudHandlers } from './cloud/handlers.ts';
import { crmHandlers } from './crm/handlers.ts';
import { exportEvidence } from './evidence/export-evidence.ts';
import { verifyEvidence } from './evidence/verify-evidence.ts';
import { exportList } from './exports/export-list.ts';
import { exporters } from './exports/exporters.ts';
import { formsHandlers } from './forms/handlers.ts';
import { importHandlers } from './imports/handlers.ts';
import { invoicingHandlers } from './invoicing/handlers.ts';
import { type Handled, handles } from './kernel/handler.ts';
import { mailHandlers, mailSweeps } from './mail/handlers.ts';
import { mailHooks, sendMail } from './mailer/send-mail.ts';
import { openRenderer } from './pdf/renderer.ts';
import { receivedHandlers } from './received/handlers.ts';
import { makeReport } from './reports/make-report.ts';
import { reports } from './reports/reports.ts';
import { pdfWriter, textWriter } from './reports/writers.ts';
import { schedulerHandlers } from './scheduler/handlers.ts';
import { signHandlers } from './sign/handlers.ts';

/** Work at intervals that is done where the settings ask for it. */
export function sweepsBySettings(settings: WorkerSettings): Sweep[] {
  return mailSweeps(settings);
}

/** What the handlers write to. */
type Opened = { storage: Storage; transport: Transport };

/** Every job and what runs it. */
export function handlersOf(settings: WorkerSettings, { storage, transport }: Opened): Handled[] {
  const { mailFrom, baseUrl, dataDir } = settings;
  const database_url = settings.databaseDirectUrl;
  const clock = () => new Date();
  const purposes = purposesOf(domains);
  const renderer = openRenderer({ chrome_path: settings.chromePath, data_dir: dataDir, clock });
  const evidence = exportEvidence({ storage, sources: evidenceSources });
  const lists = exportList({ storage, database_url, exporters });
  const texts = makeReport({ storage, database_url, reports }, textWriter);
  return [
    handles(
      sendMailJob,
      sendMail({
        transport,
        storage,
        purposes,
        mail_from: mailFrom,
        base_url: baseUrl,
        secret_keys: secretKeysOf(settings),
      }),
      mailHooks,
    ),
    ...importHandlers({ storage, database_url }),
    handles(exportJob, lists),
    handles(exportJobOfBefore, lists),
    handles(collectFilesJob, collectFiles({ storage, file_sets }), filesHooks),
    handles(runBatchJob, runBatch({ batches, seal: settings }), batchHooks),
    handles(writeReportJob, texts),
    handles(writeTitledReportJob, texts),
    handles(renderReportJob, makeReport({ storage, database_url, reports }, pdfWriter(renderer))),
    ...crmHandlers({ database_url }),
    ...invoicingHandlers({ storage, renderer }),
    ...receivedHandlers({ storage, renderer }),
    ...accountingHandlers({ database_url }),
    ...attendanceHandlers({ storage, database_url, renderer, outside: outsideServices(settings) }),
    ...cloudHandlers({
      storage,
      settings,
      scanner: openScanner(settings),
      sources: fileSources,
      installation_bytes: settings.cloudQuotaBytes,
    }),
    ...schedulerHandlers({ outside: outsideServices(settings) }),
    ...signHandlers({ storage, renderer, settings, base_url: baseUrl }),
    ...formsHandlers(),
    ...mailHandlers({
      outside: outsideServices(settings),
      server: { has_mail_server: settings.smtpUrl !== undefined },
      settings,
    }),
    handles(verifyEvidenceJob, verifyEvidence({ storage, database_url, sources: evidenceSources })),
    handles(exportEvidenceJob, evidence),
    handles(exportAccountingEvidenceJob, (payload, delivery) =>
      evidence({ ...payload, domains: ['accounting'] }, delivery),
    ),
  ];
}
