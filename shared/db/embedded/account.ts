import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartupError } from '../../kernel/startup-error.ts';

/** The account that PostgreSQL runs as; empty where it is the one that runs this process. */
export type Account = { uid?: number; gid?: number };

const NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. Root's server runs as the account `postgres`, which is made
 * when the machine has none.
 */
export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const known = fromPasswd();
  if (known) return known;
  const made = spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    NAME,
  ]);
  const account = fromPasswd();
  if (!account) {
    throw new StartupError(
      `PostgreSQL cannot run as root and the account "${NAME}" could not be made (${made.stderr?.toString().trim() || made.error?.message}): start the service as another account or set DATABASE_URL.`,
    );
  }
  return account;
}

function fromPasswd(): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${NAME}:[^:]*:(\\d+):(\\d+):`, 'm'));
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined;
}

/** Whether the account can enter a folder: asked by trying, since modes are only a part of the rules. */
export function canEnter(folder: string, account: Account): boolean {
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;
}
