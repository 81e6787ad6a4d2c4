import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { databaseAccount } from '../../shared/db/embedded/account.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** The program to try: PGBOUNCER where it is set, as for a newer one than the system's. */
const program = process.env.PGBOUNCER || 'pgbouncer';

/** Its version as `[major, minor]`. Fails where there is none: `.ci/run` installs it. */
export const pgbouncerVersion = readVersion();

function readVersion(): [number, number] {
  const { stdout, error } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  if (!major) throw new Error(`pgbouncer must be on PATH, or PGBOUNCER name it: ${error?.message}`);
  return [Number(major), Number(minor)];
}

export type TestPooler = {
  /** The database through the pooler. */
  url: string;
  /** Dies at once, with all that it holds. */
  kill(): Promise<void>;
  start(): Promise<void>;
};

/**
 * A pgbouncer with the configuration of deploy/pgbouncer before the database of `url`. `changes` replaces lines by
 * the name of their setting; null leaves one out. Gone with the test file.
 */
export async function startPgbouncer(
  url: string,
  changes: Record<string, string | null> = {},
): Promise<TestPooler> {
  const to = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${decodeURIComponent(to.username)}" "${decodeURIComponent(to.password)}"\n`);
  const lines = Object.entries({
    listen_port: String(port),
    auth_file: users,
    unix_socket_dir: '',
    business_operations: `host=${to.hostname} port=${to.port} dbname=${to.pathname.slice(1)}`,
    ...changes,
  });
  const configuration = lines.reduce(
    changed,
    readFileSync(resolve('deploy/pgbouncer/pgbouncer.ini'), 'utf8'),
  );
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration);
  const here = new URL(url);
  here.host = `127.0.0.1:${port}`;
  here.pathname = '/business_operations';

  let running: ChildProcess;
  const said: string[] = [];
  const start = async () => {
    // pgbouncer refuses to run as root, as PostgreSQL does.
    running = spawn(program, [file], {
      ...databaseAccount(),
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    });
    running.stderr?.on('data', (chunk) => said.push(String(chunk)));
    await until('pgbouncer answers', () => {
      if (running.exitCode !== null) throw new Error(`pgbouncer has ended: ${said.join('')}`);
      return answers(here.href);
    });
  };
  const kill = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  after(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: here.href, start, kill };
}

/** Replaces the line of a setting, adds it where there is none, or leaves it out. */
function changed(configuration: string, [name, value]: [string, string | null]): string {
  const line = new RegExp(`^${name} = .*\\n`, 'm');
  if (value === null) return configuration.replace(line, '');
  const wanted = `${name} = ${value}\n`;
  return line.test(configuration) ? configuration.replace(line, wanted) : `${configuration}${wanted}`;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
