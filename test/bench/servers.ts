import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { wordsOf, workerGroups } from '../../start/groups.ts';
import { NODE_FLAGS, nodeFlags } from '../../start/launch.ts';
import { freePort } from '../support/free-port.ts';

export type Server = { name: string; base_url: string; pid: number; stop: () => Promise<void> };

/** The workers of long work, as npm start runs them. */
export const bulk = workerGroups.find(({ name }) => name === 'workers-bulk')!;

/** Starts a server as a process of its own on a free port, and waits until it says that it is ready. */
export async function startServer(
  name: string,
  file: string,
  environment: Record<string, string>,
): Promise<Server> {
  const port = await freePort();
  const isWorkers = file === 'workers/main.ts';
  const words = isWorkers ? wordsOf(bulk) : [];
  const isOurs = !file.startsWith('test/');
  const flags = isWorkers ? nodeFlags(bulk) : NODE_FLAGS;
  const child: ChildProcess = fork(resolve(import.meta.dirname, '../..', file), words, {
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
      PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: isOurs ? [...flags, ...profile()] : [],
  });
  await once(child, 'message');
  return {
    name,
    base_url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** BENCH_PROFILE=FOLDER writes profiles of the processor time of our processes there. */
function profile(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
