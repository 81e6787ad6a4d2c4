import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { wordsOf, workerGroups } from '../../../start/groups.ts';
import { nodeFlags } from '../../../start/launch.ts';
import type { TestApp } from '../../support/app.ts';
import { sealP12 } from '../../support/seal-p12.ts';

export type SealWorkers = { pid: number; stop(): Promise<void> };

const group = workerGroups.find(({ name }) => name === 'workers-pdf')!;

/** The workers that seal, as npm start runs them. */
export async function startSealWorkers({ database_url, context }: TestApp): Promise<SealWorkers> {
  const child = fork(resolve(import.meta.dirname, '../../../workers/main.ts'), wordsOf(group), {
    env: {
      ...process.env,
      DATABASE_URL: database_url,
      DATA_DIR: context.settings.dataDir,
      AUTH_SECRET: 'a secret of the benchmark, long enough',
      BASE_URL: 'http://127.0.0.1',
      LOG_LEVEL: 'warn',
      ...(await sealP12()),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...nodeFlags(group), ...profile()],
  });
  await once(child, 'message');
  return {
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** BENCH_PROFILE=FOLDER writes a profile of the workers' processor time there. */
function profile(): string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
