import { spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { endUnused, openServer, sharedFolder } from './support/postgres.ts';

/**
 * npm test: types, lint, every test file, then the API's tests once more with row-level security forced.
 * npm test -- files: those files alone. All against one PostgreSQL of this run, which is removed at the end. The exit
 * code is that of the first step that fails.
 */
const root = resolve(import.meta.dirname, '..');
const folder = `${sharedFolder}-run-${process.pid}`;
const named = process.argv.slice(2);

for (const left of globSync(`${sharedFolder}-run-*`)) await endUnused(left);
process.on('SIGINT', () => {});

process.exitCode = await everything();

async function everything(): Promise<number> {
  if (process.env.CI && !hasRedis()) {
    process.stderr.write('redis-server must be on PATH: the queues are tested on both of their engines.\n');
    return 1;
  }
  if (named.length > 0) return tests(named);
  return (
    (await run('tsc', ['--noEmit'])) ||
    (await run('biome', ['ci', '--error-on-warnings'])) ||
    (await tests(globSync('test/**/*.test.ts', { cwd: root }).sort()))
  );
}

async function tests(files: string[]): Promise<number> {
  const server = await openServer(folder);
  const environment = { TEST_DATABASE_SERVER: server.adminUrl };
  const options = ['--test', `--test-concurrency=${availableParallelism()}`];
  try {
    const code = await run(process.execPath, [...options, ...files], environment);
    if (code !== 0 || named.length > 0) return code;
    process.stdout.write('\nOnce more with row-level security forced on every table of organizations:\n');
    const judged = globSync('test/api/{*,access/*,crm/*,events/*}.test.ts', { cwd: root }).sort();
    return await run(process.execPath, [...options, ...judged], {
      ...environment,
      TEST_ROW_SECURITY: 'forced',
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    await endUnused(sharedFolder);
  }
}

function hasRedis(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return globSync(folders.map((each) => join(each, 'redis-server'))).length > 0;
}

/** Runs one step and answers its exit code. Ctrl-C reaches the step by itself; this process stays to end the server. */
function run(
  command: string,
  parameters: string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const child = spawn(command, parameters, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  return new Promise((done) => {
    const end = (code: number) => {
      process.off('SIGTERM', stop);
      done(code);
    };
    child.on('exit', (code) => end(code ?? 1));
    child.on('error', () => end(1));
  });
}
