import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createMailContact, updateMailContact } from '../../../../shared/mail/contacts/operations.ts';
import { createSuppression } from '../../../../shared/mail/suppressions/operations.ts';
import { revertImport } from '../../../../shared/platform/imports/operations.ts';
import { diskStorage } from '../../../../shared/platform/storage/disk.ts';
import { newActor } from '../../../support/actors.ts';
import { freshDatabase } from '../../../support/database.ts';
import { somebodyWaits } from '../../../support/held.ts';
import { importsOf, mailImport, type TestImports } from '../../../support/imports.ts';

/** What others do with contacts and their IDs while an import runs, and what a revert of many finds. */
const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function newImports(): Promise<TestImports> {
  return importsOf({ database, actor: await newActor(database.database), storage: diskStorage(folder) });
}

async function idsOf(imports: TestImports): Promise<[email: string, external_id: string | null][]> {
  const rows = await imports.query<{ email: string; external_id: string | null }>(
    'SELECT email, external_id FROM mail_contacts WHERE organization_id = $1 ORDER BY email',
    [imports.organization_id],
  );
  return rows.map(({ email, external_id }) => [email, external_id]);
}

async function revert(imports: TestImports, id: string): Promise<void> {
  const { row } = await imports.act((work) => revertImport(work, mailImport, id));
  await imports.revert(row);
}

const make = (imports: TestImports, email: string, external_id: string) =>
  imports.act((work) => createMailContact(work, { email, external_id }));

test('a contact that is suppressed while the import waits for another one keeps its ID', async () => {
  const imports = await newImports();
  const held = await make(imports, 'a@x.jp', 'A');
  await make(imports, 'b@x.jp', 'B');
  const row = await imports.create('email,external_id\na@x.jp,A2\nb@x.jp,B2\n');
  let running = Promise.resolve();
  await database.database.withConnection(imports.organization_id, async (connection) => {
    await connection.query('BEGIN');
    await connection.query(
      'SELECT FROM mail_contacts WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [imports.organization_id, held.id],
    );
    running = imports.run(row);
    await somebodyWaits(database.database);
    await imports.act((work) => createSuppression(work, { email: 'b@x.jp', reason: 'asked' }));
    await connection.query('COMMIT');
  });
  await running;
  assert.equal((await imports.read(row.id)).suppressed_count, 1);
  assert.deepEqual(await idsOf(imports), [
    ['a@x.jp', 'A2'],
    ['b@x.jp', 'B'],
  ]);
});

test('of two contacts that had the same ID before, one after the other, a revert gives it to one', async () => {
  const imports = await newImports();
  await make(imports, 'a@x.jp', 'A');
  const later = await make(imports, 'z@x.jp', 'Z');
  const row = await imports.create('email,external_id\na@x.jp,B\nz@x.jp,Q\n');
  let chunks = 0;
  const rest = async () => {
    chunks += 1;
    if (chunks > 1) return;
    await imports.act((work) => updateMailContact(work, later.id, { external_id: 'A' }));
  };
  await imports.run(row, { pace: { size: () => 1, rest } });
  await revert(imports, row.id);
  assert.deepEqual(await idsOf(imports), [
    ['a@x.jp', 'A'],
    ['z@x.jp', 'Q'],
  ]);
});

test('a revert gives back IDs that contacts of its later batches hold', async () => {
  const imports = await newImports();
  const count = 2_500;
  const email = (n: number) => `c${String(n).padStart(5, '0')}@x.jp`;
  const file = (id: (n: number) => string) =>
    `email,external_id\n${Array.from({ length: count }, (_, n) => `${email(n)},${id(n)}\n`).join('')}`;
  await imports.run(await imports.create(file((n) => `N-${n}`)));
  const before = await idsOf(imports);
  // Each gets the ID of the one before it, which has given it up.
  const row = await imports.create(file((n) => `N-${n - 1}`).replace('N--1', 'Z'));
  await imports.run(row);
  assert.equal((await imports.read(row.id)).updated_count, count);
  await revert(imports, row.id);
  assert.deepEqual(await idsOf(imports), before);
});
