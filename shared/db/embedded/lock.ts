import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../kernel/startup-error.ts';

export type FolderLock = { release(): void };

/** Another living process works on the same data folder. */
export class FolderInUse extends StartupError {
  override name = 'FolderInUse';
}

/**
 * Holds a data folder for this process; throws FolderInUse while another one does.
 *
 * The lock is SQLite's file lock: the kernel gives it up when its holder dies, however it dies, so
 * that no leftover of a crash and no number of a process that is used again can ever block a start.
 */
export function lockFolder(folder: string): FolderLock {
  const holderPath = join(folder, 'start.pid');
  const lockPath = join(folder, 'start.lock');
  const file = new DatabaseSync(lockPath, { timeout: 0 });
  // Whatever the umask is: who could open it could hold it.
  chmodSync(lockPath, 0o600);
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (!/locked/.test(String(error))) throw error;
    throw new FolderInUse(`Another process${holder(holderPath)} already runs the database in ${folder}.`);
  }
  writeFileSync(holderPath, `${process.pid}\n`, { mode: 0o600 });
  return {
    release: () => {
      if (file.isOpen) file.close();
    },
  };
}

function holder(path: string): string {
  try {
    return ` (${readFileSync(path, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
