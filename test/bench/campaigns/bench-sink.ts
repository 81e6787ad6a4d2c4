import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SinkReport } from './sink.ts';

/** A mail server in a process of its own. */
export type BenchSink = {
  url: string;
  ask(what: 'count' | 'report' | 'forget'): Promise<SinkReport>;
  stop(): void;
};

/** Starts the mail server that campaigns are sent to. */
export async function startSink({ with_faults = false } = {}): Promise<BenchSink> {
  const child = fork(resolve(import.meta.dirname, 'sink.ts'), {
    env: { ...process.env, WITH_FAULTS: with_faults ? '1' : '0' },
    serialization: 'advanced',
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    ask: async (what) => {
      const answer = once(child, 'message');
      child.send(what);
      return ((await answer) as [SinkReport])[0];
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** MiB that a process holds now, and held at the most; of Linux alone. */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}
