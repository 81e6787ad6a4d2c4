import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import type { Environment } from '../../shared/settings.ts';

export type LogLine = { level: number; msg: string } & Record<string, unknown>;

export type TestWorkers = {
  process: ChildProcess;
  lines: LogLine[];
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Asks it to end; answers its exit code. */
  stop(): Promise<number | null>;
};

const PROGRAM = resolve(import.meta.dirname, '../../workers/main.ts');

/** A real process of workers, ready to work. It ends with the test file at the latest. */
export async function startWorkers(environment: Environment, words: string[] = []): Promise<TestWorkers> {
  const child = fork(PROGRAM, words, {
    silent: true,
    env: {
      ...process.env,
      AUTH_SECRET: 'a secret of the tests, long enough',
      ...environment,
    } as NodeJS.ProcessEnv,
  });
  const lines: LogLine[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(JSON.parse(line)));
  createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const ready = once(child, 'message');
  await Promise.race([
    ready,
    exited.then(([code]) => {
      throw new Error(`The workers ended with ${code}: ${errors.join('\n')}`);
    }),
  ]);
  return {
    process: child,
    lines,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}
