import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { hasCommand } from './commands.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export type TestRedis = {
  url: string;
  /** Loses everything, as a Redis that was emptied or lost its disk. */
  empty(): Promise<void>;
  /** Dies at once, without a disk to come back from; `start` brings an empty one back at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Holds so much that it refuses every command that takes memory: `maxmemory` 1 MB and `noeviction`. */
  fill(): Promise<void>;
  stop(): Promise<void>;
};

/** Whether redis-server is on the PATH; where it is not, tests on Redis are skipped and say so. */
export const has_redis = hasCommand('redis-server');

/** A Redis of its own, on a free port and without a disk. */
export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const launch = () => spawn('redis-server', options, { stdio: 'ignore' });
  let server: ChildProcess = launch();
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await until('redis-server answers', () => client.ping());
  const kill = async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url,
    kill,
    start: async () => {
      server = launch();
      await until('redis-server answers again', () => client.ping());
    },
    empty: async () => {
      await client.flushall();
    },
    fill: async () => {
      // More than the limit that comes afterwards: it stays full, however much its buffers shrink.
      await client.set('filling', 'x'.repeat(2 ** 21));
      await client.config('SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1mb');
    },
    stop: async () => {
      client.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
