import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { STAGE } from '../../../../shared/mail/imports/statements.ts';
import { revertImport } from '../../../../shared/platform/imports/operations.ts';
import { keepOutcomes } from '../../../../shared/platform/imports/outcomes.ts';
import { type PacedChunk, steadyPace } from '../../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, mailImport, type TestImports } from '../../../support/imports.ts';
import { meanwhile } from '../../../support/meanwhile.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-known-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function newImports(): Promise<TestImports> {
  return importsOf({ database, actor: await newActor(database.database), storage: diskStorage(folder) });
}

const ROWS = 200;

type Named = (at: number) => string;

function fileOf(
  first_name: Named,
  last_name: Named = () => '山田',
  places = Array.from({ length: ROWS }, (_, at) => at),
) {
  const rows = places.map((at) => `p${at}@x.jp,${first_name(at)},${last_name(at)},${at}`);
  return ['email,first_name,last_name,member_number', ...rows].join('\n');
}

async function imported(imports: TestImports, file: string, options: Record<string, unknown> = {}) {
  const row = await imports.create(file, options);
  await imports.run(row, { pace: steadyPace(70) });
  return imports.read(row.id);
}

/** Where the rows stand, and who wrote or locked them last. */
const versions = (imports: TestImports) =>
  imports.query(
    'SELECT id, ctid::text, xmin::text, xmax::text FROM mail_contacts WHERE organization_id = $1 ORDER BY id',
    [imports.organization_id],
  );

describe('a list that the organization has already', () => {
  test('neither writes nor locks its contacts, and says for each that nothing changed', async () => {
    const imports = await newImports();
    const consent = { basis: 'consent', source: '展示会', at: '2026-01-01T00:00:00.000Z' };
    const options = { keep_unmapped: true, consent };
    await imported(
      imports,
      fileOf(() => '花子'),
      options,
    );
    const before = await versions(imports);
    for (const on_conflict of ['update', 'fill_blank', 'skip']) {
      const done = await imported(
        imports,
        fileOf(() => '花子'),
        { ...options, on_conflict },
      );
      assert.equal(done[on_conflict === 'skip' ? 'skipped_count' : 'unchanged_count'], ROWS);
      const outcomes = await imports.query(
        'SELECT FROM import_outcomes WHERE import_id = $1 AND before IS NULL AND changed_at IS NULL',
        [done.id],
      );
      assert.equal(outcomes.length, ROWS);
    }
    assert.deepEqual(await versions(imports), before);
  });

  test('tells its pace of each chunk how many rows wrote', async () => {
    const imports = await newImports();
    await imported(
      imports,
      fileOf(() => '花子'),
    );
    const chunks: PacedChunk[] = [];
    const rest = async (chunk: PacedChunk) => void chunks.push(chunk);
    const places = Array.from({ length: ROWS }, (_, at) => at + ROWS / 2);
    const row = await imports.create(fileOf((at) => (at < 150 ? '花子' : '愛'), undefined, places));
    await imports.run(row, { pace: { ...steadyPace(ROWS / 4), rest } });
    const rows = ROWS / 4;
    assert.deepEqual(
      chunks.map((chunk) => ({ ...chunk, milliseconds: 0 })),
      [0, rows, rows, rows].map((written) => ({ milliseconds: 0, rows, written })),
    );
  });

  test('writes the contacts that it calls otherwise, with the values from before, and is undone', async () => {
    const imports = await newImports();
    await imported(
      imports,
      fileOf(
        () => '花子',
        (at) => (at % 5 === 0 ? '' : '山田'),
      ),
    );
    const present = () =>
      imports.query<{ first_name: string; last_name: string; full_name: string; search_text: string }>(
        `SELECT first_name, last_name, full_name, search_text FROM mail_contacts WHERE organization_id = $1 ORDER BY id`,
        [imports.organization_id],
      );
    const before = await present();
    const file = fileOf(
      (at) => (at % 3 === 0 ? '花子' : `次郎${at}`),
      (at) => (at % 2 === 0 ? '佐藤' : ''),
    );
    const done = await imported(imports, file);
    const changed = Array.from({ length: ROWS }, (_, at) => at).filter((at) => at % 3 !== 0 || at % 2 === 0);
    assert.deepEqual([done.updated_count, done.unchanged_count], [changed.length, ROWS - changed.length]);
    const after = await present();
    assert.deepEqual(after[4], {
      first_name: '次郎4',
      last_name: '佐藤',
      full_name: '佐藤 次郎4',
      search_text: '佐藤 次郎4\n次郎4 佐藤\n佐藤次郎4\np4@x.jp',
    });
    assert.equal(after[1]!.last_name, '山田', 'a blank cell changes nothing');
    const [unindexed] = await imports.query<{ count: number }>(
      `SELECT count(*)::int FROM (SELECT unnest(contact_ids) FROM mail_contacts_unindexed WHERE organization_id = $1) AS ids`,
      [imports.organization_id],
    );
    assert.equal(unindexed!.count, changed.length);
    const { row } = await imports.act((work) => revertImport(work, mailImport, done.id));
    await imports.revert(row);
    assert.deepEqual(await present(), before);
    assert.equal((await imports.read(done.id)).revert?.restored_count, changed.length);
  });

  test('is looked at once where nearly all of it is called otherwise, until somebody new comes, and nothing else differs', async () => {
    const imports = await newImports();
    const named = (at: number) => `p${at}@x.jp,花子,山田`;
    const otherwise = (at: number) => `p${at}@x.jp,次郎${at},佐藤`;
    const from = (first: number, count: number, row: Named) =>
      Array.from({ length: count }, (_, at) => row(first + at));
    const headed = (rows: string[]) => ['email,first_name,last_name', ...rows].join('\n');
    await imported(imports, headed(from(0, 280, named)));
    const [refused] = await imports.query<{ id: string }>(
      `UPDATE mail_contacts SET status = 'bounced' WHERE organization_id = $1 AND email = 'p71@x.jp' RETURNING id`,
      [imports.organization_id],
    );
    const chunks = [
      from(0, 70, otherwise),
      // One that is the same, one that must not be changed, one that is named twice.
      [named(70), ...from(71, 68, otherwise), otherwise(72)],
      [...from(140, 65, otherwise), ...from(900, 5, otherwise)],
      [...from(210, 69, otherwise), named(279)],
    ];
    const done = await imported(imports, headed(chunks.flat()));
    const counted = [done.updated_count, done.unchanged_count, done.created_count, done.duplicate_count];
    assert.deepEqual(counted, [70 + 67 + 65 + 69, 2, 5, 1]);
    assert.equal(done.suppressed_count, 1);
    const rows = await imports.query<{ email: string; first_name: string; xmax: string; id: string }>(
      'SELECT id, email, first_name, xmax::text FROM mail_contacts WHERE organization_id = $1 ORDER BY length(email), email',
      [imports.organization_id],
    );
    const same = new Set([70, 71, 139, 279, ...Array.from({ length: 5 }, (_, at) => 205 + at)]);
    for (const { email, first_name } of rows) {
      const at = Number(email.slice(1, email.indexOf('@')));
      assert.equal(first_name, same.has(at) ? '花子' : `次郎${at}`, email);
    }
    assert.equal(rows.find(({ email }) => email === 'p71@x.jp')!.id, refused!.id);
    const isLocked = (at: number) => rows.find(({ email }) => email === `p${at}@x.jp`)!.xmax !== '0';
    assert.equal(isLocked(70), true, 'the second chunk is looked at once, so what is the same is locked too');
    assert.equal(
      isLocked(279),
      false,
      'the last one is looked at twice, since the one before had new addresses',
    );
    const outcomes = await imports.query(
      'SELECT FROM import_outcomes WHERE import_id = $1 AND outcome = $2',
      [done.id, 'updated'],
    );
    assert.equal(outcomes.length, 70 + 67 + 65 + 69);
  });

  test('is met by a chunk that locks nothing: the import that made it is not undone beside that', async () => {
    const imports = await newImports();
    const made = await imported(
      imports,
      fileOf(() => '花子'),
    );
    const [{ id } = { id: '' }] = await imports.query<{ id: string }>(
      'SELECT id FROM mail_contacts WHERE organization_id = $1 LIMIT 1',
      [imports.organization_id],
    );
    const { row } = await imports.act((work) => revertImport(work, mailImport, made.id));
    await meanwhile(
      imports,
      async (work) => {
        await work.connection.query(STAGE, [imports.organization_id, null]);
        const outcome = { key: id, outcome: 'unchanged', before: null, changed_at: null } as const;
        keepOutcomes(work, 'mimp_another', [outcome]);
      },
      () => imports.revert(row),
    );
    const left = await versions(imports);
    assert.deepEqual(
      left.map((one) => (one as { id: string }).id),
      [id],
    );
  });

  test('is merged by two imports at once that name its contacts in opposite orders, and none waits in a circle', async () => {
    const imports = await newImports();
    await imported(
      imports,
      fileOf(() => '花子'),
    );
    const places = Array.from({ length: ROWS }, (_, at) => at);
    const twice = (order: number[]) => order.flatMap((at) => (at % 3 === 0 ? [at, at] : [at]));
    const files = [
      fileOf(
        (at) => `太郎${at}`,
        () => '佐藤',
        twice(places),
      ),
      fileOf(
        (at) => `次郎${at}`,
        () => '鈴木',
        twice(places.toReversed()),
      ),
    ];
    const rows = await Promise.all(files.map((file) => imports.create(file)));
    await Promise.all(rows.map((row) => imports.run(row, { pace: steadyPace(50) })));
    for (const { id } of rows) assert.equal((await imports.read(id)).updated_count, ROWS);
    const names = await imports.query<{ last_name: string }>(
      'SELECT DISTINCT last_name FROM mail_contacts WHERE organization_id = $1',
      [imports.organization_id],
    );
    assert.ok(names.every(({ last_name }) => ['佐藤', '鈴木'].includes(last_name)));
    const [found] = await imports.query<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    assert.equal(found!.deadlocks, 0);
  });
});
