import { sendMailJob } from '../shared/mailer/jobs.ts';
import { mailboxFolder, mailboxTransport } from '../shared/mailer/mailbox.ts';
import { smtpTransport } from '../shared/mailer/smtp.ts';
import type { Settings } from '../shared/settings.ts';
import { type Handled, handles } from './kernel/handler.ts';
import { sendMail } from './mailer/send-mail.ts';

/** Every job and what runs it. */
export function handlersOf(settings: Settings): Handled[] {
  const { smtpUrl, mailFrom, baseUrl, dataDir } = settings;
  const transport = smtpUrl ? smtpTransport(smtpUrl) : mailboxTransport(mailboxFolder(dataDir));
  return [handles(sendMailJob, sendMail({ transport, mail_from: mailFrom, base_url: baseUrl }))];
}
