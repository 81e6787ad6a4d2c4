import { exportJob } from '../shared/exports/jobs.ts';
import { sendMailJob } from '../shared/mailer/jobs.ts';
import { mailboxFolder, mailboxTransport } from '../shared/mailer/mailbox.ts';
import { smtpTransport } from '../shared/mailer/smtp.ts';
import type { Settings } from '../shared/settings.ts';
import { openStorage } from '../shared/storage/open.ts';
import { exportList } from './exports/export-list.ts';
import { exporters } from './exports/exporters.ts';
import { importHandlers } from './imports/handlers.ts';
import { type Handled, handles } from './kernel/handler.ts';
import { mailHooks, sendMail } from './mailer/send-mail.ts';

/** Every job and what runs it. */
export function handlersOf(settings: Settings): Handled[] {
  const { smtpUrl, mailFrom, baseUrl, dataDir } = settings;
  const transport = smtpUrl ? smtpTransport(smtpUrl) : mailboxTransport(mailboxFolder(dataDir));
  const storage = openStorage(settings);
  const database_url = settings.databaseDirectUrl;
  return [
    handles(sendMailJob, sendMail({ transport, mail_from: mailFrom, base_url: baseUrl }), mailHooks),
    ...importHandlers({ storage, database_url }),
    handles(exportJob, exportList({ storage, database_url, exporters })),
  ];
}
