import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import type { PacedChunk } from '../../../../shared/platform/imports/run/pace.ts';
import { cancelJob } from '../../../../shared/platform/jobs/operations.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import type { Storage } from '../../../../shared/platform/storage/storage.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const FILE = 'email,first_name\np0@x.jp,Taro\np1@x.jp,Hanako\n';

/** A store from which a whole file comes only after `holds` has answered false. */
function slowStorage(holds: () => Promise<boolean>): Storage {
  const storage = diskStorage(folder);
  return {
    ...storage,
    async read(key, range) {
      const file = await storage.read(key, range);
      if (range) return file;
      async function* bytes() {
        const end = Date.now() + 60_000;
        for await (const chunk of file) {
          yield chunk;
          while ((await holds()) && Date.now() < end) yield Buffer.alloc(0);
        }
      }
      return Readable.from(bytes(), { objectMode: true });
    },
  };
}

type Progress = { progress_done: number; progress_total: number; progress_unit: string };

test('rows with long texts are written few at a time', async () => {
  const storage = diskStorage(folder);
  const imports = importsOf({ database, actor: await newActor(database.database), storage });
  const long = 'あ'.repeat(3_000);
  const rows = Array.from({ length: 600 }, (_, n) => `p${n}@x.jp,${long}\n`);
  const row = await imports.create(`email,memo\n${rows.join('')}`);
  const counts: number[] = [];
  const pace = { size: () => 1_000, rest: async ({ rows }: PacedChunk) => void counts.push(rows) };
  await imports.run(row, { pace });
  assert.equal((await imports.read(row.id)).created_count, 600);
  assert.equal(counts.length, 3);
});

describe('while a file is read to find out its encoding', () => {
  test('the job says how many bytes are read, and then the rows that are merged', async () => {
    const told: Progress[] = [];
    const progress = async () => {
      const text = 'SELECT progress_done, progress_total, progress_unit FROM jobs WHERE id = $1';
      const [found] = await imports.query<Progress>(text, [row.job_id]);
      return found!;
    };
    const storage = slowStorage(async () => {
      const now = await progress();
      if (now.progress_unit !== 'bytes') return true;
      told.push(now);
      return false;
    });
    const imports = importsOf({ database, actor: await newActor(database.database), storage });
    const row = await imports.create(FILE);
    await imports.run(row);
    const bytes = Buffer.byteLength(FILE);
    assert.deepEqual(told[0], { progress_done: bytes, progress_total: bytes, progress_unit: 'bytes' });
    assert.deepEqual(await progress(), { progress_done: 2, progress_total: 2, progress_unit: 'rows' });
  });

  test('it is read no further once the job is cancelled', async () => {
    let isCancelled = false;
    const storage = slowStorage(async () => {
      const { status } = await imports.read(row.id);
      if (!isCancelled) await imports.act((work) => cancelJob(work, row.job_id!));
      isCancelled = true;
      return status === 'running';
    });
    const imports = importsOf({ database, actor: await newActor(database.database), storage });
    const row = await imports.create(FILE);
    await imports.run(row);
    const done = await imports.read(row.id);
    assert.deepEqual([done.status, done.encoding, done.processed_rows], ['cancelled', null, 0]);
  });
});
