import { spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { endUnused, openServer, sharedFolder } from './support/postgres.ts';

/**
 * npm test: types, lint, every test file, and the API's tests once more with row-level security forced.
 * npm test -- files: those files alone. All against one PostgreSQL of this run, which is removed at the end. The exit
 * code is that of the first step that fails.
 */
const root = resolve(import.meta.dirname, '..');
const folder = `${sharedFolder}-run-${process.pid}`;
const named = process.argv.slice(2);

/** Mostly waits: for processes to start, to be killed and to be known dead. Runs beside what keeps the processors busy. */
const WAITING = /^test\/(workers|resilience|start)\//;
/** What is done anew at each start of a program (types taken off, code compiled) is kept from run to run. */
const kept = join(root, 'node_modules/.cache/business-operations');
const JUDGED = 'test/api/{*,access/*,crm/*,events/*,invoicing/*}.test.ts';

type Options = { environment?: Record<string, string>; held?: boolean };

for (const left of globSync(`${sharedFolder}-run-*`)) await endUnused(left);
process.on('SIGINT', () => {});

process.exitCode = await everything();

async function everything(): Promise<number> {
  if (process.env.CI && !hasRedis()) {
    process.stderr.write('redis-server must be on PATH: the queues are tested on both of their engines.\n');
    return 1;
  }
  if (process.env.CI && globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').length === 0) {
    process.stderr.write('libfaketime must be installed: workers are tried with a clock that goes wrong.\n');
    return 1;
  }
  if (named.length > 0) return withServer((test) => test(named));
  return (
    (await run('tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', join(kept, 'types')])) ||
    (await run('biome', ['ci', '--error-on-warnings'])) ||
    (await withServer(allTests))
  );
}

type Test = (files: string[], options?: Options) => Promise<number>;

async function allTests(test: Test): Promise<number> {
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const codes = await Promise.all([
    busy(
      test,
      files.filter((file) => !WAITING.test(file)),
    ),
    test(
      files.filter((file) => WAITING.test(file)),
      { held: true },
    ),
  ]);
  return codes.find((code) => code !== 0) ?? 0;
}

async function busy(test: Test, files: string[]): Promise<number> {
  const code = await test(files);
  if (code !== 0) return code;
  process.stdout.write('\nOnce more with row-level security forced on every table of organizations:\n');
  const judged = globSync(JUDGED, { cwd: root }).sort();
  return test(judged, { environment: { TEST_ROW_SECURITY: 'forced' } });
}

async function withServer(tests: (test: Test) => Promise<number>): Promise<number> {
  const server = await openServer(folder);
  const words = ['--test', `--test-concurrency=${availableParallelism()}`];
  try {
    return await tests((files, { environment, held } = {}) =>
      run(process.execPath, [...words, ...files], {
        environment: { TEST_DATABASE_SERVER: server.adminUrl, ...environment },
        held,
      }),
    );
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

/**
 * Runs one step and answers its exit code; `held` shows what it writes when it has ended. Ctrl-C reaches the step by
 * itself; this process stays to end the server.
 */
function run(
  command: string,
  parameters: string[],
  { environment = {}, held = false }: Options = {},
): Promise<number> {
  const child = spawn(command, parameters, {
    cwd: root,
    stdio: held ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: join(kept, 'compiled'), ...environment },
  });
  const written: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => written.push(part));
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  return new Promise((done) => {
    const end = (code: number) => {
      process.off('SIGTERM', stop);
      process.stdout.write(Buffer.concat(written));
      done(code);
    };
    child.on('close', (code) => end(code ?? 1));
    child.on('error', () => end(1));
  });
}
