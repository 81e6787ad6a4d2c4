import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readIdentity } from '../../shared/db/embedded/identity.ts';
import { runningPostmaster, stopPostmaster } from '../../shared/db/embedded/postmaster.ts';

export type Service = {
  pid: number;
  /** What the start has written so far: progress (stderr) and logs (stdout). */
  progress(): string;
  logs(): string;
  /** Waits until the box is shown, and the command below it. */
  up(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** SIGKILL to the whole process group, as a terminal that goes away or the kernel's memory guard. */
  killGroup(): void;
  /** The exit code, once it has ended. */
  ended: Promise<number | null>;
  running(): boolean;
};

const running: Service[] = [];

/** Starts a command of this project in a process group of its own. */
export function run(program: string, environment: Record<string, string>, words: string[] = []): Service {
  const {
    DATABASE_URL: _url,
    DATABASE_DIRECT_URL: _direct,
    NODE_TEST_CONTEXT: _context,
    ...rest
  } = process.env;
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../..', program), ...words], {
    env: { ...rest, POOL_TIMEOUT_SECONDS: '30', ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let progress = '';
  let logs = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8');
  child.stdout.on('data', (chunk) => {
    logs += chunk;
  });
  child.stderr.on('data', (chunk) => {
    progress += chunk;
  });
  const service: Service = {
    pid: child.pid as number,
    progress: () => progress,
    logs: () => logs,
    up: () =>
      until(
        () => {
          assert(service.running(), `the service has ended: ${progress}${logs}`);
          return /└.*\n\n.+\n/s.test(progress);
        },
        () => `the service is not up: ${progress}${logs}`,
      ),
    signal: (name) => child.kill(name),
    killGroup: () => process.kill(-(child.pid as number), 'SIGKILL'),
    ended: once(child, 'close').then(([code]) => code as number | null),
    running: () => child.exitCode === null && child.signalCode === null,
  };
  running.push(service);
  return service;
}

/** Ends what a test has left, its database too, and removes its folder. */
export async function cleanUp(dataDir: string): Promise<void> {
  for (const service of running.splice(0)) {
    if (!service.running()) continue;
    service.signal('SIGTERM');
    await service.ended;
  }
  const identity = readIdentity(dataDir);
  const left = identity && runningPostmaster(identity.folder);
  if (identity && left) await stopPostmaster(left.pid, identity.folder, 5_000);
  rmSync(dataDir, { recursive: true, force: true });
}

/** The path of a data folder that does not exist yet. */
export function newFolder(): string {
  return join(tmpdir(), `start-test-${randomUUID()}`);
}

/** Whether a process runs: one that has ended may keep its number until somebody asks what became of it. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]);
  return /^[^Z]/.test(stdout.toString());
}

/** Waits for a condition, at most ten minutes: several processes may have to start for it, on a machine that is busy. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  otherwise: () => string,
): Promise<void> {
  const end = Date.now() + 600_000;
  while (!(await condition())) {
    assert(Date.now() < end, otherwise());
    await pause(20);
  }
}
