import { resolve } from 'node:path';
import { start } from './start/run.ts';

const program = (path: string) => resolve(import.meta.dirname, path);

// Whoever reads the logs may go away; the service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(
  await start(process.argv.slice(2), process.env, {
    api: program('api/main.ts'),
    workers: program('workers/main.ts'),
  }),
);
