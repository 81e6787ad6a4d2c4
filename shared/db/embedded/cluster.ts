import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { StartupError, systemReason } from '../../kernel/startup-error.ts';
import type { Account } from './account.ts';
import { canEnter } from './account.ts';
import type { Binaries } from './binaries.ts';

const SYSTEM_HOME = '/var/lib/business-operations-service';

/**
 * The folder that the database of a data folder lives in: beside the rest of the data, or, where the
 * account of PostgreSQL cannot enter that (root's clone under /root), a folder of the system.
 */
export function databaseHome(dataDir: string, account: Account, log: (sentence: string) => void): string {
  if (account.uid === undefined || canEnter(dataDir, account)) return dataDir;
  const home = join(SYSTEM_HOME, randomBytes(6).toString('hex'));
  try {
    mkdirSync(home, { recursive: true });
    // Whatever the umask is: others walk through, and only the account looks in.
    chmodSync(SYSTEM_HOME, 0o755);
    chmodSync(home, 0o700);
    own(home, account);
  } catch (error) {
    throw new StartupError(
      `The account that runs PostgreSQL cannot enter ${dataDir}, and ${home} cannot be made: ${systemReason(error)}.`,
    );
  }
  log(`The account that runs PostgreSQL cannot enter ${dataDir}: the database is kept in ${home}.`);
  return home;
}

/** Makes an empty database folder, whole or not at all: UTF-8, with a locale that knows Japanese letters from punctuation. */
export function initialise(
  binaries: Binaries,
  account: Account,
  folder: string,
  password: string,
  durable: boolean,
): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const passwordFile = `${unfinished}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  own(unfinished, account);
  own(passwordFile, account);
  const { status, stderr, error } = spawnSync(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...(process.platform === 'darwin' ? ['--locale=C', '--lc-ctype=en_US.UTF-8'] : ['--locale=C.UTF-8']),
      '--lc-messages=C',
      ...(durable ? [] : ['--no-sync']),
    ],
    { ...account, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } },
  );
  rmSync(passwordFile, { force: true });
  if (status !== 0) {
    throw new StartupError(
      `The database could not be made in ${folder}: ${lastLine(error?.message ?? stderr?.toString())}.`,
    );
  }
  renameSync(unfinished, folder);
}

/** How the server is started: the path of its log, its settings and what its environment has besides. */
export type Launching = {
  output: string;
  settings: Record<string, string>;
  environment: Record<string, string>;
};

/**
 * Starts the server, which writes its log to `output`: whether it lives, and why one that does not has ended.
 * It is a session of its own, so that neither the terminal's Ctrl-C nor the death of this process ends it:
 * it is ended last, after those who still write, and a crashed start leaves it to the next one.
 */
export function launch(
  binaries: Binaries,
  account: Account,
  folder: string,
  { output: outputPath, settings, environment }: Launching,
): { lives(): boolean; failure(): string } {
  if (existsSync(outputPath)) renameSync(outputPath, `${outputPath}.1`);
  const output = openSync(outputPath, 'w', 0o600);
  const child = spawn(
    binaries.postgres,
    ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...environment },
    },
  );
  closeSync(output);
  let lives = true;
  for (const event of ['error', 'exit']) {
    child.on(event, () => {
      lives = false;
    });
  }
  child.unref();
  return {
    lives: () => lives,
    failure: () => reasonIn(readFileSync(outputPath, 'utf8')),
  };
}

/** A free port of 127.0.0.1: the wished one where it is free. */
export async function freePort(wished: number | null): Promise<number> {
  if (wished !== null && (await canListen(wished)) !== null) return wished;
  const port = await canListen(0);
  if (port === null) throw new StartupError('No free port is left on 127.0.0.1 for the embedded database.');
  return port;
}

function canListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}

/** Makes a data folder, or says in one sentence why it cannot be used. Its name is DATA_DIR to whoever set it. */
export function makeDataFolder(dataDir: string, account: Account): void {
  try {
    if (!existsSync(dataDir)) {
      makeFolders(dataDir);
      // Another account must be able to walk through to its own folder; what is secret is closed by itself.
      chmodSync(dataDir, account.uid === undefined ? 0o700 : 0o711);
    }
    const probe = join(dataDir, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written: ${systemReason(error)}.`);
  }
}

/** With those above it. Node's own way tries for ever where a folder that stands takes none, as /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  mkdirSync(path);
}

function own(path: string, account: Account): void {
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
}

/** The first line that reports a failure: the later ones follow from it. */
function reasonIn(log: string): string {
  const line =
    log.split('\n').find((text) => /(FATAL|PANIC|ERROR|could not bind.*): /.test(text)) ?? lastLine(log);
  return line.replace(/^.*?(FATAL|PANIC|ERROR|LOG): +/, '').replace(/\.$/, '');
}

function lastLine(text: string | undefined): string {
  return (text ?? '').trim().split('\n').pop()?.replace(/\.$/, '') ?? '';
}
