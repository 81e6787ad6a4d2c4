import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server that runs on a folder: line 1 and 4 of its postmaster.pid. */
export type Postmaster = { pid: number; port: number };

/**
 * The server that really runs on this folder, or null. The file alone proves nothing: after a crash
 * its number may belong to any other process, and a server would then refuse to start.
 */
export function runningPostmaster(folder: string): Postmaster | null {
  const path = join(folder, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (isPostgresOf(pid, folder)) return { pid, port: Number(lines[3]) };
  if (isAlive(pid)) rmSync(path, { force: true });
  return null;
}

function isPostgresOf(pid: number, folder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  if (process.platform === 'linux') {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      return name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)]);
  const command = stdout?.toString() ?? '';
  return /postgres/.test(command) && command.includes(folder);
}

/** Whether a process of this number exists. */
export function isAlive(pid: number): boolean {
  // 0 and negative numbers name whole groups of processes.
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Ends a server: clients are cut off and a checkpoint is written (fast); after `patience` milliseconds without it (immediate,
 * recovered at the next start). Answers whether the checkpoint was written.
 */
export async function stopPostmaster(pid: number, folder: string, patience: number): Promise<boolean> {
  signal(pid, 'SIGINT');
  if (await ended(pid, folder, patience)) return true;
  signal(pid, 'SIGQUIT');
  await ended(pid, folder, 5_000);
  return false;
}

/** Ends a server at once, without a checkpoint; the next start recovers. */
export function killPostmaster(pid: number): void {
  signal(pid, 'SIGQUIT');
}

async function ended(pid: number, folder: string, patience: number): Promise<boolean> {
  const until = Date.now() + patience;
  while (Date.now() < until) {
    if (!isPostgresOf(pid, folder)) return true;
    await pause(20);
  }
  return !isPostgresOf(pid, folder);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
