import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import type { Environment } from '../../shared/platform/settings/settings.ts';
import { type ProgramPath, programFile } from './program-files.ts';

export type LogLine = { level: number; msg: string } & Record<string, unknown>;

export type Program = {
  process: ChildProcess;
  lines: LogLine[];
  /** What it wrote beside its log: traces of what nobody caught. */
  errors: string[];
  /** Ends it at once, in the middle of whatever it does. As with `stop`, all that it wrote has been read then. */
  kill(): Promise<void>;
  /** Asks it to end; answers its exit code. */
  stop(): Promise<number | null>;
};

/** One of the service's programs as a real process, ready to work. It ends with the test file at the latest. */
export async function startProgram(
  path: ProgramPath,
  environment: Environment,
  words: string[] = [],
): Promise<Program> {
  const child = fork(programFile(path), words, {
    silent: true,
    env: {
      ...process.env,
      AUTH_SECRET: 'a secret of the tests, long enough',
      // On a busy machine many requests at once take longer than the service lets them wait.
      POOL_TIMEOUT_SECONDS: '30',
      ...environment,
    } as NodeJS.ProcessEnv,
  });
  const lines: LogLine[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(JSON.parse(line)));
  createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
  // What it wrote last is to be read as well; `close`, which says so, never comes once its channel was closed from here.
  const read = [child.stdout!, child.stderr!].map((output) => once(output, 'close'));
  const ended = Promise.all([once(child, 'exit'), ...read]).then(([exit]) => exit as [number | null]);
  after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ready = once(child, 'message');
  await Promise.race([
    ready,
    ended.then(([code]) => {
      throw new Error(`${path} ended with ${code}: ${errors.join('\n')}`);
    }),
  ]);
  return {
    process: child,
    lines,
    errors,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}
