import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { NODE_FLAGS } from '../../start/launch.ts';

export type Server = { name: string; base_url: string; pid: number; stop: () => Promise<void> };

/** Starts a server as a process of its own on a free port, and waits until it says that it is ready. */
export async function startServer(
  name: string,
  file: string,
  environment: Record<string, string>,
): Promise<Server> {
  const port = await freePort();
  const child: ChildProcess = fork(resolve(import.meta.dirname, '../..', file), [], {
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ...environment,
      PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: name === 'ours' ? [...NODE_FLAGS, ...profile()] : [],
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** BENCH_PROFILE=FOLDER writes a profile of the API's processor time there. */
function profile(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
