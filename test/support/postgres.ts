import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { adminUrl, readIdentity } from '../../shared/db/embedded/identity.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../shared/db/embedded/lock.ts';
import { runningPostmaster, stopPostmaster } from '../../shared/db/embedded/postmaster.ts';
import { type Embedded, startEmbedded } from '../../shared/db/embedded.ts';
import { processorTimes } from './processor-times.ts';

const repository = createHash('sha256')
  .update(resolve(import.meta.dirname, '../..'))
  .digest('hex')
  .slice(0, 8);

/** The data folder of the server that single test files share. */
export const sharedFolder = join(tmpdir(), `business-operations-test-${userInfo().uid}-${repository}`);

let asked: Promise<{ url: string }> | undefined;

/**
 * The one server of all test files: that of the test command, or, for a file run alone, one that is
 * started by the first file that asks and left running for the next. The URL is the superuser's.
 */
export function testServer(): Promise<{ url: string }> {
  asked ??= process.env.TEST_DATABASE_SERVER
    ? Promise.resolve({ url: process.env.TEST_DATABASE_SERVER })
    : openServer(sharedFolder).then((server) => {
        server.leave();
        return { url: server.adminUrl };
      });
  return asked;
}

/** Starts or adopts a server that may lose everything in a crash, and waits for whoever starts it at the same time. */
export async function openServer(dataDir: string): Promise<Embedded> {
  const until = Date.now() + 300_000;
  for (;;) {
    try {
      const server = await startEmbedded({
        dataDir,
        log: () => {},
        settings: {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          // Nobody reads its log: an index that is built then writes none.
          wal_level: 'minimal',
          max_wal_senders: '0',
          // Files that run in one process keep what they have opened, and some start several processes of workers.
          max_connections: '1000',
          shared_buffers: '256MB',
          // A test that needs statistics asks for them; else a process goes from one to the next of a hundred databases.
          autovacuum: 'off',
          scram_iterations: '1',
        },
      });
      if (server.started) await hashLightly(server.adminUrl);
      return server;
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > until) throw error;
      await pause(50);
    }
  }
}

/**
 * Hashes the superuser's password with as few rounds as the server's settings say: each of a run's many connections
 * hashes it too, which with the usual 4,096 takes 4 ms of a processor.
 */
async function hashLightly(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { username, password } = new URL(url);
  const [role, secret] = [client.escapeIdentifier(username), client.escapeLiteral(password)];
  await client.query(`ALTER ROLE ${role} PASSWORD ${secret}`);
  await client.end();
}

/**
 * Milliseconds of a processor that a running server used, with all of its connections that have ended; null where the
 * system does not say.
 */
export function usedByServer(dataDir: string): number | null {
  const identity = readIdentity(dataDir);
  const running = identity && runningPostmaster(identity.folder);
  if (!running || process.platform !== 'linux') return null;
  const { user, system, ended_user, ended_system } = processorTimes(String(running.pid));
  return user + system + ended_user + ended_system;
}

/** Ends and removes a server that an earlier run has left, unless somebody is at work with it just now. */
export async function endUnused(dataDir: string): Promise<void> {
  const lock = existsSync(dataDir) && lockUnlessInUse(dataDir);
  if (!lock) return;
  try {
    const identity = readIdentity(dataDir);
    const running = identity && runningPostmaster(identity.folder);
    if (running && (await clients(adminUrl({ ...identity, port: running.port }))) > 0) return;
    if (running) await stopPostmaster(running.pid, identity.folder, 10_000);
    rmSync(dataDir, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

function lockUnlessInUse(dataDir: string): FolderLock | null {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    if (error instanceof FolderInUse) return null;
    throw error;
  }
}

async function clients(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ others: number }>(
    `SELECT count(*)::integer AS others FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await client.end();
  return rows[0]?.others ?? 0;
}
