import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

const inRepository = (path: string) => resolve(import.meta.dirname, path);

// Halves the work of a later start, here and in the processes that are started (measured: 1.6 s of CPU to 0.9 s).
process.env.NODE_COMPILE_CACHE ??= inRepository('node_modules/.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { start } = await import('./start/run.ts');

// Whoever reads the logs may go away; the service goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(
  await start(process.argv.slice(2), process.env, {
    api: inRepository('api/main.ts'),
    workers: inRepository('workers/main.ts'),
  }),
);
