import type { WorkerSettings } from '../settings/settings.ts';
import { mailboxFolder, mailboxTransport } from './mailbox.ts';
import type { Transport } from './transport.ts';

/** What takes mails: the server of SMTP_URL, whose client is loaded only then, else the local mailbox. */
export async function openTransport({
  smtpUrl,
  dataDir,
}: Pick<WorkerSettings, 'smtpUrl' | 'dataDir'>): Promise<Transport> {
  if (!smtpUrl) return mailboxTransport(mailboxFolder(dataDir));
  const { smtpTransport } = await import('./smtp.ts');
  return smtpTransport(smtpUrl);
}
