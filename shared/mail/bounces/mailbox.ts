import type { SecureContextOptions } from 'node:tls';
import type { Text } from '../../kernel/language.ts';
import { reasonOf } from '../../kernel/reason.ts';
import { reasonsOfMail } from '../failure-reasons.ts';
import { MOST_MAIL_BYTES } from './reading/reader.ts';

/**
 * A mail that waits in the mailbox. `content` is null where it is larger than a mail may be that comes in; `fault`: why the server does
 * not give it.
 */
export type WaitingMail = { uid: number; content: Buffer | null; fault?: unknown };

export type BounceMailbox = {
  /** The first mails that wait, so many at most. They stay until they are put away. */
  waiting(most: number): Promise<WaitingMail[]>;
  /** Moves mails to the folder `Processed`, or to `Failed` where they could not be kept. */
  putAway(uids: readonly number[], folder: typeof PROCESSED | typeof FAILED): Promise<void>;
};

/** The mailbox cannot be used. The message may be logged: it has no address and no password. */
export class MailboxFailure extends Error {
  override name = 'MailboxFailure';
}

/** Where read mails go. */
export const PROCESSED = 'Processed';

/** Where mails go that could not be kept, for an operator to look at; moved back they are read again. */
export const FAILED = 'Failed';

/** Milliseconds. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };

/**
 * Opens the mailbox of `imaps://user:password@host:port/folder` (INBOX without a folder), by TLS alone, lends it to `run` and
 * closes it. When `signal` is aborted the connection is cut. Errors: `MailboxFailure`, and what `run` throws.
 */
export async function withBounceMailbox<T>(
  url: string,
  run: (mailbox: BounceMailbox) => Promise<T>,
  { signal, ca }: { signal: AbortSignal } & Pick<SecureContextOptions, 'ca'>,
): Promise<T> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const { ImapFlow } = await import('imapflow');
  signal.throwIfAborted();
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 993 : Number(port),
    secure: true,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    ...PATIENCE,
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  // What breaks the connection also fails the command that waits; without a listener it would end the process.
  client.on('error', () => undefined);
  const cut = () => client.close();
  signal.addEventListener('abort', cut, { once: true });
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX';
  try {
    await told(reasonsOfMail.mailbox_not_opened, client.connect());
    await told((why) => reasonsOfMail.mailbox_without_folder(folder, why), client.mailboxOpen(folder));
    return await run({
      waiting: (most) => told(reasonsOfMail.mailbox_not_read, waitingIn(client, most)),
      putAway: (uids, folder) => told(reasonsOfMail.mailbox_not_changed, putAway(client, uids, folder)),
    });
  } finally {
    signal.removeEventListener('abort', cut);
    client.close();
  }
}

type Client = import('imapflow').ImapFlow;

/** Sizes come first: a mail that is too large is not fetched. */
async function waitingIn(client: Client, most: number): Promise<WaitingMail[]> {
  const found = client.mailbox ? client.mailbox.exists : 0;
  if (found === 0) return [];
  const sized = await client.fetchAll(`1:${Math.min(found, most)}`, { uid: true, size: true });
  const mails: WaitingMail[] = [];
  for (const { uid, size } of sized) {
    if ((size ?? 0) > MOST_MAIL_BYTES) {
      mails.push({ uid, content: null });
      continue;
    }
    try {
      const source = { maxLength: MOST_MAIL_BYTES };
      const mail = await client.fetchOne(String(uid), { source }, { uid: true });
      // false: somebody else has removed it meanwhile.
      const content = mail === false ? undefined : mail.source;
      if (content) mails.push({ uid, content });
    } catch (fault) {
      if (!client.usable) throw fault;
      mails.push({ uid, content: null, fault });
    }
  }
  return mails;
}

/** The folder is made when it is missing (RFC 9051 6.4.7). */
async function putAway(client: Client, uids: readonly number[], folder: string): Promise<void> {
  if (uids.length === 0) return;
  const range = uids.join(',');
  if (await isMoved(client, range, folder)) return;
  await client.mailboxCreate(folder);
  if (!(await isMoved(client, range, folder))) throw new Error(`not to the folder ${folder}`);
}

/** Nothing is deleted that was not copied: the library's own way for servers without MOVE does not look. */
async function isMoved(client: Client, range: string, folder: string): Promise<boolean> {
  if (client.capabilities.has('MOVE')) return Boolean(await client.messageMove(range, folder, { uid: true }));
  const copied = await client.messageCopy(range, folder, { uid: true });
  return Boolean(copied) && client.messageDelete(range, { uid: true });
}

/** What a server answers may hold an address: of it the code alone is told. */
async function told<T>(trouble: (why: string) => Text, doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    const { authenticationFailed, code, serverResponseCode } = error as {
      authenticationFailed?: boolean;
      code?: string;
      serverResponseCode?: string;
    };
    const why = authenticationFailed
      ? reasonsOfMail.sign_in_refused().en
      : (serverResponseCode ?? code ?? reasonOf(error));
    throw new MailboxFailure(trouble(why).en, { cause: error });
  }
}
