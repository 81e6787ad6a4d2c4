import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../kernel/id.ts';
import { MailOvertaken, type Transport } from './transport.ts';

/** The folder of the local mailbox: what would have been sent, where no mail server is set. */
export function mailboxFolder(data_dir: string): string {
  return join(data_dir, 'mailbox');
}

/**
 * Keeps mails as files, one each, named by the mail's ID, so that the same mail is never there twice. A file
 * appears whole or not at all.
 */
export function mailboxTransport(folder: string): Transport {
  return {
    repeatable: true,
    deliver: async (mail, commit) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `${mail.id}.${randomBytes(6).toString('hex')}.part`);
      try {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(mail.raw);
          await file.sync();
        } finally {
          await file.close();
        }
        if (!(await commit())) throw new MailOvertaken('Another try has this mail in hand');
        await rename(unfinished, join(folder, `${mail.id}.eml`));
      } finally {
        await rm(unfinished, { force: true });
      }
      return 'Kept in the local mailbox';
    },
  };
}

/**
 * Closes the folder and its mails to other accounts of the machine: they hold links that reset passwords. Called at
 * the start, for a mailbox that was made without it.
 */
export async function closeMailbox(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(ifMissing(undefined));
  for (const name of await readdir(folder).catch(ifMissing<string[]>([]))) {
    await chmod(join(folder, name), 0o600).catch(ifMissing(undefined));
  }
}

/** The IDs of the mails in the folder, newest first: IDs sort by their time. */
export async function mailboxIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ifMissing([]));
  return names
    .filter((name) => name.endsWith('.eml') && isId(name.slice(0, -4), 'mail'))
    .map((name) => name.slice(0, -4))
    .sort()
    .reverse();
}

/** The mail as it was sent, or null. */
export async function mailboxFile(folder: string, id: string): Promise<Buffer | null> {
  if (!isId(id, 'mail')) return null;
  return readFile(join(folder, `${id}.eml`)).catch(ifMissing(null));
}

/** Removes all but the newest mails of the folder; answers how many. */
export async function keepNewest(folder: string, newest: number): Promise<number> {
  const old = (await mailboxIds(folder)).slice(newest);
  for (const id of old) await rm(join(folder, `${id}.eml`), { force: true });
  return old.length;
}

function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
