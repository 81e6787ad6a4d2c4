import type { ChildProcess } from 'node:child_process';
import { StartupError } from '../shared/kernel/startup-error.ts';
import type { Logs } from './logs.ts';

export type Supervised = {
  /** Resolves when the process serves for the first time; a StartupError when it ends before. */
  ready: Promise<void>;
  /** Ends the process, which drains; another one takes its place at once. */
  renew(): void;
  /** Ends the process for good: drained, or killed after `patience` milliseconds. */
  end(patience: number): Promise<void>;
  /** Ends the process for good, at once. */
  kill(): void;
};

const SHORTEST_PAUSE = 250;
const LONGEST_PAUSE = 15_000;
/** A process that served so long has earned a quick restart again. */
const PROVEN = 60_000;

/**
 * Keeps one process running: it is started again whenever it ends, after a pause that grows while it keeps
 * ending early. `launch` makes the process; over its IPC channel it says `{ ready: true }` when it serves.
 */
export function supervise(name: string, launch: () => ChildProcess, logs: Logs, patient = false): Supervised {
  let child: ChildProcess;
  let pause = SHORTEST_PAUSE;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let renewing = false;
  let everReady = false;
  let ended: Promise<void> = Promise.resolve();
  const { promise: ready, resolve: isReady, reject: neverReady } = Promise.withResolvers<void>();

  function run(): void {
    let readyAt = Number.POSITIVE_INFINITY;
    child = launch();
    if (child.stdout) logs.take(name, child.stdout);
    if (child.stderr) logs.take(name, child.stderr);
    child.on('message', (message) => {
      if ((message as { ready?: boolean } | null)?.ready !== true) return;
      readyAt = performance.now();
      everReady = true;
      isReady();
    });
    child.on('error', (error) => logs.write('error', name, error.message));
    ended = new Promise((resolve) => {
      child.once('exit', async (code, signal) => {
        await lastWords(child);
        resolve();
        if (!stopping) again(code, signal, performance.now() - readyAt);
      });
    });
  }

  function again(code: number | null, signal: NodeJS.Signals | null, served: number): void {
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    if (!everReady && !patient) {
      stopping = true;
      neverReady(new StartupError(`The ${name} process ${how} before it served.`));
      return;
    }
    if (renewing || served > PROVEN) pause = SHORTEST_PAUSE;
    const wait = renewing ? 0 : pause;
    if (!renewing) {
      logs.write('error', name, `the process ${how} and is started again`, { pause_ms: wait });
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
    renewing = false;
    timer = setTimeout(run, wait);
  }

  run();
  return {
    ready,
    renew: () => {
      if (stopping) return;
      if (isRunning(child)) {
        renewing = true;
        child.kill('SIGTERM');
      } else {
        clearTimeout(timer);
        run();
      }
    },
    end: async (patience) => {
      stopping = true;
      clearTimeout(timer);
      child.kill('SIGTERM');
      const deadline = setTimeout(() => {
        logs.write('error', name, `the process did not end within ${patience / 1000} s and is killed`);
        child.kill('SIGKILL');
      }, patience);
      await ended;
      clearTimeout(deadline);
    },
    kill: () => {
      stopping = true;
      clearTimeout(timer);
      child.kill('SIGKILL');
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Waits for what the process still has in its pipes, but not for a grandchild that holds them open. */
function lastWords(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 500);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
