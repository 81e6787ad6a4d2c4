import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import pg from 'pg';
import { restoreLinks } from '../../../shared/db/embedded/binaries.ts';
import { readIdentity } from '../../../shared/db/embedded/identity.ts';
import { FolderInUse, lockFolder } from '../../../shared/db/embedded/lock.ts';
import { tuning } from '../../../shared/db/embedded/tuning.ts';
import { type Embedded, startEmbedded } from '../../../shared/db/embedded.ts';
import { StartupError } from '../../../shared/kernel/startup-error.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const servers: Embedded[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the embedded server', () => {
  it('keeps every commit through a crash, listens on this machine alone and logs no values', async () => {
    const server = await open(newFolder());
    assert.equal(await show(server.adminUrl, 'fsync'), 'on');
    assert.equal(await show(server.adminUrl, 'synchronous_commit'), 'on');
    assert.equal(await show(server.adminUrl, 'full_page_writes'), 'on');
    assert.equal(await show(server.adminUrl, 'listen_addresses'), '127.0.0.1');
    assert.equal(await show(server.adminUrl, 'log_min_messages'), 'log');
    assert.equal(await show(server.adminUrl, 'TimeZone'), 'UTC');
  });

  it('gives the service a role that owns its database and is no superuser', async () => {
    const server = await open(newFolder());
    const rows = await query(
      server.url,
      'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user',
    );
    assert.deepEqual(rows, [{ rolsuper: false, rolcreaterole: false }]);
    await query(
      server.url,
      'CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE EXTENSION btree_gist; CREATE EXTENSION citext',
    );
  });

  it('keeps its port, and takes another one when that is taken', async () => {
    const folder = newFolder();
    const first = await open(folder);
    const port = readIdentity(folder)?.port;
    await first.stop();
    const second = await open(folder);
    assert.equal(readIdentity(folder)?.port, port);
    await second.stop();
    const other = createServer().listen(port as number, '127.0.0.1');
    await once(other, 'listening');
    const third = await open(folder);
    assert.notEqual(readIdentity(folder)?.port, port);
    assert.equal((await query(third.url, 'SELECT 1 AS one')).length, 1);
    other.close();
  });

  it('is ended without its checkpoint where that takes too long, says so, and keeps what was committed', async () => {
    const folder = newFolder();
    const told: string[] = [];
    const first = await open(folder, told);
    await query(first.url, 'CREATE TABLE kept ()');
    await first.stop(0);
    assert.match(told.at(-1) ?? '', /ended before its checkpoint was written/);
    const again: string[] = [];
    const second = await open(folder, again);
    assert.deepEqual(await query(second.url, `SELECT to_regclass('kept')::text AS kept`), [{ kept: 'kept' }]);
    await second.stop();
    assert.deepEqual(
      again.filter((sentence) => /checkpoint/.test(sentence)),
      [],
    );
  });

  it('is adopted when the one before left it', async () => {
    const folder = newFolder();
    const first = await open(folder);
    first.leave();
    const second = await open(folder);
    assert.equal(second.started, false);
    assert.equal(second.url, first.url);
  });

  it('makes the database again from the beginning when its making was cut off', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'postgres.unfinished'), { recursive: true });
    writeFileSync(join(folder, 'postgres.unfinished', 'PG_VERSION'), '18\n');
    const server = await open(folder);
    assert.equal((await query(server.url, 'SELECT 1 AS one')).length, 1);
    assert.equal(existsSync(join(folder, 'postgres.unfinished')), false);
  });

  it('refuses a database whose passwords are gone, and touches nothing', async () => {
    const folder = newFolder();
    await (await open(folder)).stop();
    rmSync(join(folder, 'postgres.json'));
    await assert.rejects(
      open(folder),
      (error) => error instanceof StartupError && /passwords \(.*\) are gone/.test(error.message),
    );
    assert.equal(existsSync(join(folder, 'postgres', 'PG_VERSION')), true);
  });

  it('lives elsewhere, and says so, where its account cannot enter the data folder', {
    skip: !isRoot,
  }, async () => {
    const closed = mkdtempSync(join(tmpdir(), 'embedded-test-'));
    folders.push(closed);
    const told: string[] = [];
    const dataDir = join(closed, 'data');
    const first = await open(dataDir, told);
    const home = dirname(readIdentity(dataDir)?.folder ?? '');
    folders.push(home);
    assert.match(
      told[0] ?? '',
      /cannot enter .*: the database is kept in \/var\/lib\/business-operations-service\/\w+\.$/,
    );
    await query(first.url, 'CREATE TABLE kept ()');
    await first.stop();
    const second = await open(dataDir);
    assert.deepEqual(await query(second.url, `SELECT to_regclass('kept')::text AS kept`), [{ kept: 'kept' }]);
  });
});

describe('the lock of a data folder', () => {
  it('is held by one, and free again when given up', () => {
    const folder = newFolder();
    mkdirSync(folder);
    const lock = lockFolder(folder);
    assert.throws(() => lockFolder(folder), FolderInUse);
    lock.release();
    lockFolder(folder).release();
  });
});

describe('links that no install script made', () => {
  it('are made, and those that are there stay', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
    writeFileSync(join(folder, 'native', 'lib', 'liba.so.1.2'), 'a');
    symlinkSync('liba.so.1.2', join(folder, 'native', 'lib', 'liba.so'));
    const links = ['liba.so', 'liba.so.1'].map((name) => ({
      source: 'native/lib/liba.so.1.2',
      target: `native/lib/${name}`,
    }));
    writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
    restoreLinks(folder);
    assert.deepEqual(readdirSync(join(folder, 'native', 'lib')).sort(), [
      'liba.so',
      'liba.so.1',
      'liba.so.1.2',
    ]);
    assert.equal(readFileSync(join(folder, 'native', 'lib', 'liba.so.1'), 'utf8'), 'a');
  });
});

describe('the settings for a machine', () => {
  it('grow with its memory, within bounds', () => {
    const gibibyte = 1024 ** 3;
    assert.deepEqual(
      [0.25, 1, 8, 512].map((size) => tuning(size * gibibyte)['shared_buffers']),
      ['64MB', '128MB', '1024MB', '2048MB'],
    );
  });
});

function newFolder(): string {
  const folder = join(tmpdir(), `embedded-test-${randomUUID()}`);
  folders.push(folder);
  return folder;
}

async function open(dataDir: string, told: string[] = []): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log: (sentence) => told.push(sentence) });
  servers.push(server);
  return server;
}

async function show(url: string, name: string): Promise<unknown> {
  const [row] = await query(url, `SELECT current_setting('${name}') AS value`);
  return row?.['value'];
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
