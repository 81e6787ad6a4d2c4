import { spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { endUnused, openServer, sharedFolder } from './support/postgres.ts';

/**
 * npm test [-- files]: every test file, or those named, against one PostgreSQL of this run, which is
 * removed at the end. The exit code is that of the first step that fails.
 */
const root = resolve(import.meta.dirname, '..');
const folder = `${sharedFolder}-run-${process.pid}`;

for (const left of globSync(`${sharedFolder}-run-*`)) await endUnused(left);

const server = await openServer(folder);
const files =
  process.argv.length > 2 ? process.argv.slice(2) : globSync('test/**/*.test.ts', { cwd: root }).sort();
let code = 1;
try {
  code = await run(process.execPath, ['--test', `--test-concurrency=${availableParallelism()}`, ...files], {
    TEST_DATABASE_SERVER: server.adminUrl,
  });
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  await endUnused(sharedFolder);
}
process.exitCode = code;

/** Runs one step and answers its exit code. Ctrl-C reaches the step by itself; this process stays to end the server. */
function run(command: string, parameters: string[], environment: Record<string, string>): Promise<number> {
  const child = spawn(command, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((done) => {
    child.on('exit', (exitCode) => done(exitCode ?? 1));
    child.on('error', () => done(1));
  });
}
