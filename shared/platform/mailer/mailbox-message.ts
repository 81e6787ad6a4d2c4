import { open } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { normalForm } from '../../kernel/normal-form.ts';
import { mailboxFile, mailboxIds } from './mailbox.ts';

/** A mail in a list. `date` is ISO 8601; addresses are without names. */
export type MailHead = {
  id: string;
  date: string | null;
  from: string | null;
  to: string[];
  subject: string;
};

/** A whole mail. Header names are in small letters; what a mail has twice is joined with a comma. */
export type MailMessage = MailHead & {
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  attachments: { file_name: string; content_type: string; size: number; content: Uint8Array }[];
};

/** Enough for the headers of any mail of this service. */
const HEAD_BYTES = 32 * 1024;

/** The newest mails of the folder, newest first. */
export async function mailboxHeads(folder: string, limit: number): Promise<MailHead[]> {
  return headsOf(folder, (await mailboxIds(folder)).slice(0, limit));
}

/** How many of the newest mails a search looks through: each is a file that is opened. */
const LOOKED_THROUGH = 1_000;

/**
 * A page of the mails of the folder, newest first: of all, or of those among the newest that have all words of a search in their
 * subject or an address. `looked_through` is null where that was all of them.
 */
export async function mailboxPage(
  folder: string,
  { search, page, per_page }: { search: string; page: number; per_page: number },
): Promise<{ heads: MailHead[]; total: number; looked_through: number | null }> {
  const ids = await mailboxIds(folder);
  const start = (page - 1) * per_page;
  if (search === '') {
    const heads = await headsOf(folder, ids.slice(start, start + per_page));
    return { heads, total: ids.length, looked_through: null };
  }
  const words = normalForm(search, 'NFKC').toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await headsOf(folder, ids.slice(0, LOOKED_THROUGH))).filter(({ subject, from, to }) => {
    const text = normalForm([subject, from ?? '', ...to].join(' '), 'NFKC').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return {
    heads: found.slice(start, start + per_page),
    total: found.length,
    looked_through: ids.length > LOOKED_THROUGH ? LOOKED_THROUGH : null,
  };
}

async function headsOf(folder: string, ids: readonly string[]): Promise<MailHead[]> {
  const heads: MailHead[] = [];
  for (const id of ids) {
    const bytes = await headBytes(join(folder, `${id}.eml`));
    if (bytes) heads.push(headOf(id, await PostalMime.parse(bytes)));
  }
  return heads;
}

/** One mail of the folder, or null. */
export async function mailboxMessage(folder: string, id: string): Promise<MailMessage | null> {
  const bytes = await mailboxFile(folder, id);
  if (!bytes) return null;
  const email = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  const headers: Record<string, string> = {};
  for (const { key, value } of email.headers) {
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  const attachments = email.attachments.map(({ filename, mimeType, content }) => {
    const bytes =
      typeof content === 'string' ? Buffer.from(content) : asSent(mimeType, content as ArrayBuffer);
    return {
      file_name: filename ?? 'attachment',
      content_type: mimeType,
      size: bytes.length,
      content: bytes,
    };
  });
  return { ...headOf(id, email), text: email.text ?? null, html: email.html ?? null, headers, attachments };
}

/** Calendars that the parser answered with the line ends of texts; theirs are CRLF (RFC 5545 3.1). */
function asSent(media_type: string, content: ArrayBuffer): Uint8Array {
  if (!CALENDARS.has(media_type)) return new Uint8Array(content);
  return Buffer.from(Buffer.from(content).toString().replaceAll('\n', '\r\n'));
}

const CALENDARS = new Set(['text/calendar', 'application/ics']);

/** The bytes up to the empty line that ends the headers; null when the file has just been removed. */
async function headBytes(path: string): Promise<Buffer | null> {
  const file = await open(path).catch(() => null);
  if (!file) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const read = buffer.subarray(0, bytesRead);
    const end = read.indexOf('\r\n\r\n');
    return end < 0 ? read : read.subarray(0, end + 4);
  } finally {
    await file.close();
  }
}

function headOf(id: string, { date, from, to, subject }: Email): MailHead {
  return {
    id,
    date: date ?? null,
    from: addressesOf(from)[0] ?? null,
    to: (to ?? []).flatMap(addressesOf),
    subject: subject ?? '',
  };
}

function addressesOf(address: Address | undefined): string[] {
  if (!address) return [];
  return address.group ? address.group.map((each) => each.address) : [address.address];
}
