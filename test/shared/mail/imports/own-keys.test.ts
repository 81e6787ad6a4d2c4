import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { createMailContact, updateMailContact } from '../../../../shared/mail/contacts/operations.ts';
import { revertImport } from '../../../../shared/platform/imports/operations.ts';
import type { ImportRecord } from '../../../../shared/platform/imports/record.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { importsOf, mailImport, type TestImports } from '../../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const HEADER = 'email,external_id,metadata\n';

async function newImports(): Promise<TestImports> {
  return importsOf({ database, actor: await newActor(database.database), storage: diskStorage(folder) });
}

type Keys = [email: string, external_id: string | null, metadata: Record<string, string>];

async function keysOf(imports: TestImports): Promise<Keys[]> {
  const rows = await imports.query<{ email: string; external_id: string | null; metadata: Keys[2] }>(
    'SELECT email, external_id, metadata FROM mail_contacts WHERE organization_id = $1 ORDER BY email',
    [imports.organization_id],
  );
  return rows.map(({ email, external_id, metadata }) => [email, external_id, metadata]);
}

async function make(imports: TestImports, keys: readonly Keys[]): Promise<void> {
  for (const [email, external_id, metadata] of keys) {
    await imports.act((work) => createMailContact(work, { email, external_id, metadata }));
  }
}

async function imported(imports: TestImports, text: string, options = {}): Promise<ImportRecord> {
  const row = await imports.create(text, options);
  await imports.run(row);
  const done = await imports.read(row.id);
  assert.equal(done.status, 'completed', JSON.stringify(done.error));
  return done;
}

async function reverted(imports: TestImports, { id }: ImportRecord): Promise<void> {
  const { row } = await imports.act((work) => revertImport(work, mailImport, id));
  await imports.revert(row);
  assert.equal((await imports.read(id)).status, 'reverted');
}

const faultsOf = (imports: TestImports, { id }: ImportRecord) =>
  imports.query<{ row: number; code: string; column: string; message: string }>(
    'SELECT row, code, "column", message FROM import_errors WHERE organization_id = $1 AND import_id = $2 ORDER BY id',
    [imports.organization_id, id],
  );

describe('a file of mail contacts with own IDs and metadata', () => {
  test('gives both, merges metadata, and refuses an ID that another contact has, with its row', async () => {
    const imports = await newImports();
    await make(imports, [
      ['a@x.jp', 'A', { erp: '1', old: 'x' }],
      ['b@x.jp', null, {}],
    ]);
    const text = `${HEADER}a@x.jp,A2,"{""erp"":""2"",""old"":null}"\nb@x.jp,A,\nc@x.jp,A2,\nd@x.jp,D,"{""k"":""v""}"\nc@x.jp,C,\n`;
    const done = await imported(imports, text);
    assert.deepEqual(await keysOf(imports), [
      ['a@x.jp', 'A2', { erp: '2' }],
      // The first contact has given this one up by then.
      ['b@x.jp', 'A', {}],
      ['c@x.jp', 'C', {}],
      ['d@x.jp', 'D', { k: 'v' }],
    ]);
    const { created_count, updated_count, error_count, duplicate_count } = done;
    assert.deepEqual([created_count, updated_count, error_count, duplicate_count], [2, 2, 1, 0]);
    const message = 'external_id: another record has A2';
    assert.deepEqual(await faultsOf(imports, done), [
      { row: 4, code: 'already_exists', column: 'external_id', message },
    ]);
    await reverted(imports, done);
    assert.deepEqual(await keysOf(imports), [
      ['a@x.jp', 'A', { erp: '1', old: 'x' }],
      ['b@x.jp', null, {}],
    ]);
  });

  test('says in a dry run what it would refuse, and writes nothing', async () => {
    const imports = await newImports();
    await make(imports, [['a@x.jp', 'A', {}]]);
    const text = `${HEADER}b@x.jp,A,\na@x.jp,B,\nb@x.jp,A,\nc@x.jp,"A,B",\nd@x.jp,,[1]\n`;
    const tried = await imported(imports, text, { dry_run: true });
    const faults = await faultsOf(imports, tried);
    assert.deepEqual(await keysOf(imports), [['a@x.jp', 'A', {}]]);
    const done = await imported(imports, text);
    assert.deepEqual(await faultsOf(imports, done), faults);
    assert.deepEqual(
      faults.map(({ row, code, column }) => [row, code, column]),
      [
        [2, 'already_exists', 'external_id'],
        [5, 'invalid_characters', 'external_id'],
        [6, 'invalid_object', 'metadata'],
      ],
    );
    assert.deepEqual([tried.created_count, tried.updated_count], [done.created_count, done.updated_count]);
    assert.deepEqual(await keysOf(imports), [
      ['a@x.jp', 'B', {}],
      ['b@x.jp', 'A', {}],
    ]);
  });

  test('refuses metadata beyond fifty entries, in a cell and with those that are there', async () => {
    const imports = await newImports();
    const entries = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'v']));
    const cell = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    await make(imports, [['a@x.jp', null, entries(49)]]);
    const done = await imported(
      imports,
      `${HEADER}a@x.jp,,${cell(entries(2, 49))}\nb@x.jp,,${cell(entries(51))}\na@x.jp,,${cell(entries(1, 49))}\n`,
    );
    assert.deepEqual(
      (await faultsOf(imports, done)).map(({ row, code, column }) => [row, code, column]),
      [
        [2, 'too_many', 'metadata'],
        [3, 'too_many', 'metadata'],
      ],
    );
    assert.deepEqual(await keysOf(imports), [['a@x.jp', null, entries(50)]]);
  });

  test('two imports that give the same IDs to other contacts leave each with one', async () => {
    const imports = await newImports();
    const lines = (from: string) =>
      Array.from({ length: 300 }, (_, n) => `${from}${n}@x.jp,K-${n},\n`).join('');
    const rows = [await imports.create(HEADER + lines('p')), await imports.create(HEADER + lines('q'))];
    const pace = { size: () => 20, rest: async () => undefined };
    await Promise.all(rows.map((row) => imports.run(row, { pace })));
    const [first, second] = await Promise.all(rows.map(({ id }) => imports.read(id)));
    assert.equal(first!.created_count + second!.created_count, 300);
    assert.equal(first!.error_count + second!.error_count, 300);
    const ids = (await keysOf(imports)).map(([, external_id]) => external_id);
    assert.equal(new Set(ids).size, 300);
  });
});

describe('a revert', () => {
  const emails = ['a@x.jp', 'b@x.jp', 'c@x.jp', 'd@x.jp'];
  const external_id = fc.constantFrom('', 'K-1', 'K-2', 'K-3', 'K-4');
  const metadata = fc.constantFrom('', '{"a":"1"}', '{"a":null,"b":"2"}');
  const row = fc.tuple(fc.constantFrom(...emails), external_id, metadata);
  const given = fc.uniqueArray(fc.constantFrom('K-1', 'K-2', 'K-3', 'K-4'), { maxLength: 3 });

  test('gives back the IDs and metadata that were there, also where they were exchanged', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.array(row, { maxLength: 12 }), async (ids, rows) => {
        const imports = await newImports();
        await make(
          imports,
          ids.map((id, n): Keys => [emails[n]!, id, n === 1 ? { a: '0' } : {}]),
        );
        const before = await keysOf(imports);
        const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = HEADER + rows.map((cells) => `${cells.map(cell).join(',')}\n`).join('');
        if (rows.length === 0) return;
        await reverted(imports, await imported(imports, text));
        assert.deepEqual(await keysOf(imports), before);
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) },
    );
  });

  test('leaves IDs that are somebody else’s by now, and what hangs on them', async () => {
    const imports = await newImports();
    await make(imports, [
      ['a@x.jp', 'A', {}],
      ['b@x.jp', 'B', {}],
      ['c@x.jp', 'C', {}],
    ]);
    // Each gives its ID to the next one, as a row before has freed it.
    const done = await imported(imports, `${HEADER}c@x.jp,Z,\nb@x.jp,C,\na@x.jp,B,\n`);
    await make(imports, [['other@x.jp', 'A', {}]]);
    await reverted(imports, done);
    assert.deepEqual(await keysOf(imports), [
      ['a@x.jp', 'B', {}],
      ['b@x.jp', 'C', {}],
      ['c@x.jp', 'Z', {}],
      ['other@x.jp', 'A', {}],
    ]);
    assert.partialDeepStrictEqual((await imports.read(done.id)).revert, {
      deleted_count: 0,
      restored_count: 0,
      removed_membership_count: 0,
      left_count: 3,
    });
  });

  test('leaves a key that was changed since', async () => {
    const imports = await newImports();
    await make(imports, [['a@x.jp', 'A', {}]]);
    const done = await imported(imports, `${HEADER}a@x.jp,B,"{""k"":""1""}"\n`);
    const [{ id }] = (await imports.query('SELECT id FROM mail_contacts WHERE organization_id = $1', [
      imports.organization_id,
    ])) as [{ id: string }];
    await imports.act((work) => updateMailContact(work, id, { external_id: 'C' }));
    await reverted(imports, done);
    assert.deepEqual(await keysOf(imports), [['a@x.jp', 'C', {}]]);
  });
});
