import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMailList } from '../../../../shared/mail/lists/operations.ts';
import { steadyPace } from '../../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-lookups-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const ROWS = 4_000;

async function importsOfOne() {
  return importsOf({ database, actor: await newActor(database.database), storage: diskStorage(folder) });
}

/** From the second half on, every other address is known, by another name. */
function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const whose = at * 2 >= rows && at % 2 ? at - rows / 2 : at;
    return `person${whose}@example.co.jp,花子${at}\n`;
  });
  return `email,first_name\n${lines.join('')}`;
}

/** Entries of the tables' indexes that were read so far; each session tells of its own when it ends. */
async function entriesRead(): Promise<number> {
  const [row] = await database.database.withConnection('*', ({ query }) =>
    query<{ count: number }>(
      `SELECT sum(idx_tup_read)::integer AS count FROM pg_stat_user_indexes
        WHERE relname IN ('mail_contacts', 'import_outcomes')`,
    ),
  );
  return row!.count;
}

test('a chunk looks up its own addresses alone, also where the planner knows of no contact of the organization', async () => {
  const others = await importsOfOne();
  await others.run(await others.create(fileOf(ROWS)), { pace: steadyPace(ROWS) });
  await database.database.withConnection('*', ({ query }) =>
    query('ANALYZE mail_contacts', [], { prepared: false }),
  );
  const before = await entriesRead();
  const imports = await importsOfOne();
  const { id: list_id } = await imports.act(async (work) => createMailList(work, { name: '客' }));
  const row = await imports.create(fileOf(ROWS), { list_id });
  await imports.run(row, { pace: steadyPace(100) });
  assert.equal((await imports.read(row.id)).created_count, (ROWS / 4) * 3);
  const read = (await entriesRead()) - before;
  assert.ok(read < 50 * ROWS, `${read} entries were read for ${ROWS} rows`);
});

test('nor does a chunk of known addresses look at all that the import has met before', async () => {
  const imports = await importsOfOne();
  const listOf = (name: string) =>
    `email,first_name\n${Array.from({ length: ROWS }, (_, at) => `known${at}@x.jp,${name}\n`).join('')}`;
  await imports.run(await imports.create(listOf('花子')), { pace: steadyPace(ROWS) });
  const before = await entriesRead();
  const row = await imports.create(listOf('太郎'));
  await imports.run(row, { pace: steadyPace(25) });
  assert.equal((await imports.read(row.id)).updated_count, ROWS);
  const read = (await entriesRead()) - before;
  assert.ok(read < 25 * ROWS, `${read} entries were read for ${ROWS} rows`);
});
