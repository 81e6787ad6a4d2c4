import { mailboxFolder, mailboxTransport } from '../../../shared/platform/mailer/mailbox.ts';
import type { OpenDoor } from './door.ts';

/** The local mailbox, where no mail server is set. A mail has the same name at each attempt, so it is there once. */
export function mailboxDoors(data_dir: string): OpenDoor {
  const mailbox = mailboxTransport(mailboxFolder(data_dir));
  const never = new AbortController().signal;
  return async () => ({
    handOver: async ({ id, message, envelope }) => {
      const mail = { id: id.replace(/^mrcp/, 'mail'), from: envelope.from, to: [envelope.to], raw: message };
      try {
        return { kind: 'taken', reply: await mailbox.deliver(mail, async () => true, never) };
      } catch (error) {
        return { kind: 'lost', words: String(error) };
      }
    },
    reset: async () => true,
    close: () => {},
  });
}
