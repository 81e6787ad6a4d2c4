import { type Letter, type Recipient, renderLetter } from './letter.ts';
import type { Outgoing } from './transport.ts';

export type Envelope = {
  mail_id: string;
  /** `MAIL_FROM`: an address, alone or as `Name <address>`. */
  from: string;
  base_url: string;
  now: Date;
  /** The bytes of the letter's attachments, in their order. */
  files?: Buffer[];
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
  // With the first mail and not at the start: most processes write none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { mail_id, from, base_url, now, files = [] } = envelope;
  const { text, html } = renderLetter(letter);
  const node = new MailComposer({
    from: letter.from_name === undefined ? from : await renamed(from, letter.from_name),
    ...(letter.reply_to !== undefined && { replyTo: letter.reply_to }),
    to: letter.to.map(addressee),
    cc: (letter.cc ?? []).map(addressee),
    subject: oneLine(letter.subject),
    text,
    html,
    messageId: messageIdOf(mail_id, base_url),
    date: now,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.locale },
    attachments: (letter.attachments ?? []).map(({ file_name, media_type }, index) => ({
      filename: oneLine(file_name),
      contentType: media_type,
      content: files[index],
      contentDisposition: 'attachment' as const,
    })),
    ...(letter.calendar && {
      icalEvent: { method: letter.calendar.method, filename: 'invite.ics', content: letter.calendar.text },
    }),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const addresses = node.getEnvelope();
  const { from: sender, to } = addresses;
  if (!sender || to.length === 0) throw new Error('A mail needs a sender and a recipient');
  return { id: mail_id, from: sender, to, raw: await node.build() };
}

function addressee({ name = '', address }: Recipient): { name: string; address: string } {
  return { name: oneLine(name), address };
}

/** The sender's address with another name. */
async function renamed(from: string, name: string): Promise<{ name: string; address: string }> {
  return { name: oneLine(name), address: await addressOfSender(from) };
}

/** The address of a sender that is written as `MAIL_FROM`: alone or as `Name <address>`. */
export async function addressOfSender(from: string): Promise<string> {
  const { default: addressparser } = await import('nodemailer/lib/addressparser');
  const [sender] = addressparser(from);
  if (!sender?.address) throw new Error('MAIL_FROM has no address');
  return sender.address;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
