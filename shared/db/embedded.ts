import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../kernel/startup-error.ts';
import type { Account } from './embedded/account.ts';
import { databaseAccount } from './embedded/account.ts';
import type { Binaries } from './embedded/binaries.ts';
import { findBinaries } from './embedded/binaries.ts';
import { databaseHome, freePort, initialise, launch, makeDataFolder } from './embedded/cluster.ts';
import type { Identity } from './embedded/identity.ts';
import {
  adminUrl,
  DATABASE,
  newPassword,
  ROLE,
  readIdentity,
  serviceUrl,
  writeIdentity,
} from './embedded/identity.ts';
import { lockFolder } from './embedded/lock.ts';
import { killPostmaster, runningPostmaster, stopPostmaster } from './embedded/postmaster.ts';
import { FIXED, tuning, usableMemory } from './embedded/tuning.ts';

export type Embedded = {
  /** The service's own role: it owns its database and is not a superuser. */
  url: string;
  /** The superuser, on the database `postgres`. */
  adminUrl: string;
  /** False when an earlier start had left the server running. */
  started: boolean;
  /** Starts the server again, on its port, when it ended by itself; answers whether it had. */
  revive(): Promise<boolean>;
  /** Ends the server (with a checkpoint; without one after `patience` milliseconds) and gives up the folder. */
  stop(patience?: number): Promise<void>;
  /** Ends the server at once, without a checkpoint. */
  kill(): void;
  /** Leaves the server running for the next start and gives up the folder. */
  leave(): void;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: (sentence: string) => void;
  /** More settings of the server; `fsync: 'off'` is for tests only. */
  settings?: Record<string, string>;
  /** More of the server's environment: another clock, for tests only. */
  environment?: Record<string, string>;
};

/** What is said about how the server runs. */
type Running = Required<Pick<EmbeddedOptions, 'settings' | 'environment'>>;

/**
 * A PostgreSQL server of our own under `dataDir`: made at the first start, adopted when a crash left it
 * running, started otherwise. Never two on one folder: throws FolderInUse; a StartupError when it cannot run here.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  environment = {},
}: EmbeddedOptions): Promise<Embedded> {
  const said: Running = { settings, environment };
  const folder = resolve(dataDir);
  const account = databaseAccount();
  makeDataFolder(folder, account);
  const lock = lockFolder(folder);
  try {
    const identity = knownOrNew(folder, account, log);
    const started = await bringUp(folder, identity, account, said, log);
    await prepareDatabase(identity);
    return {
      url: serviceUrl(identity),
      adminUrl: adminUrl(identity),
      started,
      revive: async () =>
        runningPostmaster(identity.folder) === null && bringUp(folder, identity, account, said, log),
      stop: async (patience = 15_000) => {
        const running = runningPostmaster(identity.folder);
        if (running && !(await stopPostmaster(running.pid, identity.folder, patience))) {
          log(
            'The database was ended before its checkpoint was written: nothing is lost, the next start recovers it.',
          );
        }
        lock.release();
      },
      kill: () => {
        const running = runningPostmaster(identity.folder);
        if (running) killPostmaster(running.pid);
      },
      leave: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function knownOrNew(dataDir: string, account: Account, log: (sentence: string) => void): Identity {
  const known = readIdentity(dataDir);
  if (known) return known;
  const identity: Identity = {
    folder: join(databaseHome(dataDir, account, log), 'postgres'),
    port: null,
    admin_password: newPassword(),
    password: newPassword(),
  };
  if (existsSync(identity.folder)) {
    throw new StartupError(
      `${identity.folder} holds a database whose passwords (${join(dataDir, 'postgres.json')}) are gone: bring that file back or move the folder away.`,
    );
  }
  writeIdentity(dataDir, identity);
  return identity;
}

/** Answers false when the server ran already. */
async function bringUp(
  dataDir: string,
  identity: Identity,
  account: Account,
  said: Running,
  log: (sentence: string) => void,
): Promise<boolean> {
  const running = runningPostmaster(identity.folder);
  if (running) {
    identity.port = running.port;
    if (await answers(identity, () => runningPostmaster(identity.folder) !== null)) {
      log('The database still runs from an earlier start: adopted.');
      return false;
    }
  }
  const binaries = findBinaries(account, join(identity.folder, '..'), log);
  if (!existsSync(join(identity.folder, 'PG_VERSION'))) {
    log(`Making a database in ${identity.folder}.`);
    rmSync(identity.folder, { recursive: true, force: true });
    initialise(binaries, account, identity.folder, identity.admin_password, said.settings['fsync'] !== 'off');
  }
  await startServer(dataDir, identity, binaries, account, said);
  return true;
}

async function startServer(
  dataDir: string,
  identity: Identity,
  binaries: Binaries,
  account: Account,
  { settings, environment }: Running,
): Promise<void> {
  let failure = '';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    identity.port = await freePort(attempt === 0 ? identity.port : null);
    const all = { ...tuning(usableMemory()), ...FIXED, ...settings, port: String(identity.port) };
    const output = join(dataDir, 'postgres.log');
    const server = launch(binaries, account, identity.folder, { output, settings: all, environment });
    if (await answers(identity, server.lives)) {
      writeIdentity(dataDir, identity);
      return;
    }
    failure = server.failure();
    if (!/could not (bind|create any TCP)/.test(failure)) break;
  }
  throw new StartupError(`The database in ${identity.folder} does not start: ${failure}.`);
}

/**
 * Waits while the server lives until the server lets us in. Recovery after a crash may take minutes, so
 * there means no limit of time; false when the server ended, a StartupError when it knows other passwords.
 */
async function answers(identity: Identity, lives: () => boolean): Promise<boolean> {
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl(identity), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '28P01') {
        throw new StartupError(
          `The database in ${identity.folder} does not accept the password kept beside it in postgres.json.`,
        );
      }
    }
    if (!lives()) return false;
    await pause(15);
  }
}

/** Makes the service's role and database where they are missing: a start may have died between the two. */
async function prepareDatabase(identity: Identity): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl(identity) });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role, EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database`,
      [ROLE, DATABASE],
    );
    if (!rows[0]?.role) {
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(identity.password)}`);
    }
    if (!rows[0]?.database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}
