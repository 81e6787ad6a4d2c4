import MailComposer from 'nodemailer/lib/mail-composer';
import { type Letter, renderLetter } from './letter.ts';
import type { Outgoing } from './transport.ts';

export type Envelope = {
  mail_id: string;
  /** `MAIL_FROM`: an address, alone or as `Name <address>`. */
  from: string;
  base_url: string;
  now: Date;
};

/** The sender where no MAIL_FROM is set: mails then go to the local mailbox alone. */
export const LOCAL_SENDER = 'Business Operations <no-reply@localhost>';

/** Derived from the mail's ID, so that a mail that did arrive twice is known as one by its readers' programs. */
export function messageIdOf(mail_id: string, base_url: string): string {
  return `<${mail_id}@${new URL(base_url).hostname}>`;
}

/**
 * The mail as it travels: plain text and a simple page, headers encoded and folded, no line break of a name or a
 * subject left in them.
 */
export async function composeMessage(letter: Letter, envelope: Envelope): Promise<Outgoing> {
  const { mail_id, from, base_url, now } = envelope;
  const { text, html } = renderLetter(letter);
  const node = new MailComposer({
    from,
    to: { name: oneLine(letter.to.name ?? ''), address: letter.to.address },
    subject: oneLine(letter.subject),
    text,
    html,
    messageId: messageIdOf(mail_id, base_url),
    date: now,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.locale },
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const addresses = node.getEnvelope();
  const to = addresses.to[0];
  if (!addresses.from || !to) throw new Error('A mail needs a sender and a recipient');
  return { id: mail_id, from: addresses.from, to, raw: await node.build() };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
