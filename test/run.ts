import { spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { FolderInUse } from '../shared/db/embedded/lock.ts';
import { openServer, sharedFolder } from './support/postgres.ts';

/**
 * npm test [-- files]: every test file, or those named, against one PostgreSQL of this run, which is
 * removed at the end. The exit code is that of the first step that fails.
 */
const folder = `${sharedFolder}-run-${process.pid}`;
const root = resolve(import.meta.dirname, '..');

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
  await endUnusedSharedServer();
}
process.exitCode = code;

/** Ctrl-C reaches the child by itself; this process stays to end the server. */
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

/** The server that files run alone had left is ended too, unless one of them is at work just now. */
async function endUnusedSharedServer(): Promise<void> {
  try {
    const shared = await openServer(sharedFolder);
    const client = new pg.Client({ connectionString: shared.adminUrl });
    await client.connect();
    const { rows } = await client.query<{ others: number }>(
      `SELECT count(*)::integer AS others FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    await client.end();
    if (rows[0]?.others === 0) await shared.stop();
    else shared.leave();
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
  }
}
