import { newId } from '../../shared/kernel/id.ts';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import { accountEmail } from '../../shared/platform/access/names.ts';
import type { Letter } from '../../shared/platform/mailer/letter.ts';
import { composeMessage, LOCAL_SENDER } from '../../shared/platform/mailer/message.ts';
import { openTransport } from '../../shared/platform/mailer/open-transport.ts';
import { MailFailure, MailLost } from '../../shared/platform/mailer/transport.ts';
import { type Command, readOption } from './command.ts';

/** Milliseconds for the whole of it. */
const PATIENCE = 60_000;

/** Sends one mail to the mail server at once, without queues and workers: failures show here. */
export const testMail: Command = {
  usage: 'test-mail --to ADDRESS',
  about: 'hands a mail to the server of SMTP_URL and prints its answer',
  options: { to: { type: 'string' } },
  run: async (words, { settings, now, say }) => {
    const to = readOption(words, 'to', accountEmail());
    const { smtpUrl, mailFrom = LOCAL_SENDER, baseUrl } = settings;
    const mail_id = newId('mail', now);
    const outgoing = await composeMessage(letter(to, baseUrl), {
      mail_id,
      from: mailFrom,
      base_url: baseUrl,
      now,
    });
    const transport = await openTransport(settings);
    const answer = await transport
      .deliver(outgoing, async () => true, AbortSignal.timeout(PATIENCE))
      .catch((error) => {
        throw refusalOf(error);
      });
    if (!smtpUrl) return say(`SMTP_URL is not set: the mail is at ${baseUrl}/ops/mailbox.`);
    say(`The mail server of SMTP_URL has taken the mail for ${to}: ${answer}`);
    say('What becomes of it later, its log and the mailbox tell.');
  },
};

function letter(address: string, base_url: string): Letter {
  return {
    to: [{ address }],
    locale: 'en',
    subject: 'Test mail',
    paragraphs: [`This mail was sent by an operator of ${base_url} to try the mail server.`],
    notes: ['Nothing needs to be done.'],
  };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof MailFailure) {
    return new StartupError(
      `${error.message}${error.reply ? `: ${error.reply}` : ''}. SMTP_URL and MAIL_FROM decide.`,
    );
  }
  if (error instanceof MailLost) {
    return new StartupError(
      `The mail server took the text and did not answer: ${error.message}. The mail may arrive.`,
    );
  }
  return error;
}
