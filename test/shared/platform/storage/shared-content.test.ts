import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { transaction } from '../../../../shared/db/transaction.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import { Work } from '../../../../shared/kernel/work.ts';
import { keepUploadedFile } from '../../../../shared/platform/intake/kept-files.ts';
import {
  type Files,
  newLooseFile,
  prolongFile,
  removeLooseFiles,
} from '../../../../shared/platform/storage/loose-files.ts';
import { openStorage } from '../../../../shared/platform/storage/open.ts';
import { holdContents, releaseUnnamed } from '../../../../shared/platform/storage/shared-content.ts';
import { freshDatabase } from '../../../support/database.ts';
import { until } from '../../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'shared-'));
const { database, drop } = await freshDatabase();
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const storage = await openStorage({ dataDir: folder, storageUrl: undefined });
const files: Files = { database, storage };
const now = new Date('2026-04-01T00:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * 60 * 60_000);
const running = new AbortController().signal;
const organization_id = newId('org', now);
const rows = { tableName: 'naming_rows' };
await database.withConnection('*', ({ query }) =>
  query(
    'CREATE TABLE naming_rows (organization_id text, storage_key text, name text, PRIMARY KEY (organization_id, storage_key, name))',
  ),
);

async function step<T>(run: (work: Work) => Promise<T>, at = now): Promise<T> {
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  return database.withConnection('*', (connection) =>
    transaction(connection, async (commit) => {
      const work = new Work({ connection, now: at, ...who }, { may_change_nothing: true });
      const result = await run(work);
      await commit(work.finish());
      return result;
    }),
  );
}

const nameIt = (work: Work, storage_key: string, name: string) =>
  work.insert(rows, { organization_id, storage_key, name });

const unname = (work: Work, storage_key: string, name: string) =>
  work.connection.query('DELETE FROM naming_rows WHERE storage_key = $1 AND name = $2', [storage_key, name]);

/** A kept file that one row names. */
async function keptFile(): Promise<string> {
  const storage_key = await newLooseFile(files, { organization_id, area: 'uploads', now });
  const written = await storage.write(storage_key, Readable.from(['abc']), { limit: 3 });
  const told = {
    file_name: 'a.txt',
    media_type: 'text/plain',
    content_type: 'text/plain',
    head: Buffer.alloc(0),
  };
  await step(async (work) => {
    await keepUploadedFile(work, { storage_key, ...written, ...told, scan: 'off', finding: null });
    nameIt(work, storage_key, 'first');
  });
  return storage_key;
}

test('a file goes with the last row that names it, and its bytes after the commit', async () => {
  const key = await keptFile();
  await step(async (work) => {
    assert.deepEqual(await holdContents(work, [key]), new Set([key]));
    nameIt(work, key, 'copy');
  });
  const gone = (name: string) =>
    step(async (work) => {
      await unname(work, key, name);
      return releaseUnnamed(work, rows, [key]);
    });
  assert.deepEqual(await gone('first'), []);
  assert.equal(await removeLooseFiles(files, later(48), running), 0);
  assert.deepEqual(await storage.stat(key), { size: 3 });
  assert.deepEqual(await gone('copy'), [key]);
  assert.deepEqual(await storage.stat(key), { size: 3 });
  assert.equal(await removeLooseFiles(files, now, running), 1);
  assert.equal(await storage.stat(key), null);
  assert.deepEqual(await step((work) => holdContents(work, [key])), new Set());
});

test('who shares a file and who gives it up wait for each other', async () => {
  for (const first of ['share', 'give up'] as const) {
    const key = await keptFile();
    const { promise: may_end, resolve: end } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const pausing = async (who: typeof first) => {
      if (who !== first) return;
      lock();
      await may_end;
    };
    const share = async () =>
      step(async (work) => {
        const held = await holdContents(work, [key]);
        if (held.has(key)) nameIt(work, key, 'copy');
        await pausing('share');
        return held.has(key);
      });
    const giveUp = async () =>
      step(async (work) => {
        await unname(work, key, 'first');
        const released = await releaseUnnamed(work, rows, [key]);
        await pausing('give up');
        return released.length > 0;
      });
    const one = first === 'share' ? share() : giveUp();
    await locked;
    const other = first === 'share' ? giveUp() : share();
    await until('the other waits', isSomebodyWaiting);
    end();
    assert.deepEqual([await one, await other], [true, false], first);
    assert.equal(await removeLooseFiles(files, now, running), first === 'share' ? 0 : 1);
  }
});

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = await database.withConnection('*', ({ query }) =>
    query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
  );
  return waiting.length > 0;
}

test('a file that comes in pieces stays as long as it is prolonged', async () => {
  const key = await newLooseFile(files, { organization_id, area: 'uploads', now });
  await storage.append(key, 0, Readable.from([Buffer.from('abc')]), { limit: 3 });
  assert.equal(await step((work) => prolongFile(work, key, later(40))), true);
  assert.equal(await removeLooseFiles(files, later(39), running), 0);
  assert.equal(await storage.received(key), 3);
  assert.equal(await removeLooseFiles(files, later(40), running), 1);
  assert.equal(await storage.received(key), 0);
  assert.equal(await step((work) => prolongFile(work, key, later(80))), false);
});
