import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Work } from '../../../shared/kernel/work.ts';
import {
  createMailContact,
  deleteMailContact,
  updateMailContact,
} from '../../../shared/mail/contacts/operations.ts';
import { joinMailList } from '../../../shared/mail/lists/members.ts';
import { createMailList } from '../../../shared/mail/lists/operations.ts';
import { createSuppression, deleteSuppression } from '../../../shared/mail/suppressions/operations.ts';
import { pauseImport, resumeImport, revertImport } from '../../../shared/platform/imports/operations.ts';
import { steadyPace } from '../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../shared/platform/storage/disk.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { importsOf, mailImport, type TestImports } from '../../support/imports.ts';
import { meanwhile } from '../../support/meanwhile.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'imports-meanwhile-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function newImports(): Promise<TestImports> {
  return importsOf({ database, actor: await newActor(database.database), storage: diskStorage(folder) });
}

const fileOf = (...emails: string[]) => `email\n${emails.map((email) => `${email}\n`).join('')}`;

async function contacts(imports: TestImports): Promise<Map<string, string>> {
  const rows = await imports.query<{ id: string; email: string }>(
    'SELECT id, email FROM mail_contacts WHERE organization_id = $1 ORDER BY email',
    [imports.organization_id],
  );
  return new Map(rows.map(({ id, email }) => [email, id]));
}

test('an undone import leaves a contact that somebody puts into a list meanwhile, and the list counts it', async () => {
  const imports = await newImports();
  const row = await imports.create(fileOf('p0@x.jp', 'p1@x.jp'));
  await imports.run(row);
  const list = await imports.act(async (work) => createMailList(work, { name: 'Newsletter' }));
  const contact_id = (await contacts(imports)).get('p0@x.jp')!;
  const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, row.id));
  await meanwhile(
    imports,
    (work) => joinMailList(work, list.id, contact_id),
    () => imports.revert(reverting),
  );
  assert.deepEqual([...(await contacts(imports)).keys()], ['p0@x.jp']);
  const [counted] = await imports.query<{ contact_count: number; active_count: number }>(
    'SELECT contact_count, active_count FROM mail_lists WHERE id = $1',
    [list.id],
  );
  assert.deepEqual(counted, { contact_count: 1, active_count: 1 });
  const { revert } = await imports.read(row.id);
  assert.deepEqual([revert?.deleted_count, revert?.left_count], [1, 1]);
});

test('an import does not bring back an address that had refused and is erased meanwhile', async () => {
  const imports = await newImports();
  const { id } = await imports.act((work) => createMailContact(work, { email: 'p1@x.jp' }));
  await imports.act((work) => updateMailContact(work, id, { status: 'unsubscribed' }));
  const row = await imports.create(fileOf('p0@x.jp', 'p1@x.jp', 'p2@x.jp'));
  await meanwhile(
    imports,
    (work) => deleteMailContact(work, id),
    () => imports.run(row),
  );
  assert.deepEqual([...(await contacts(imports)).keys()], ['p0@x.jp', 'p2@x.jp']);
  const { created_count, suppressed_count } = await imports.read(row.id);
  assert.deepEqual([created_count, suppressed_count], [2, 1]);
});

test('nor does it bring back one that it had made itself', async () => {
  const imports = await newImports();
  const row = await imports.create(fileOf('p0@x.jp', 'p1@x.jp', 'p2@x.jp', 'p0@x.jp'));
  const rest = async () => {
    await imports.act((work) => pauseImport(work, mailImport, row.id));
  };
  await imports.run(row, { pace: { ...steadyPace(2), rest } });
  const id = (await contacts(imports)).get('p0@x.jp')!;
  await imports.act((work) => updateMailContact(work, id, { status: 'unsubscribed' }));
  const { row: resumed } = await imports.act((work) => resumeImport(work, mailImport, row.id));
  await meanwhile(
    imports,
    (work) => deleteMailContact(work, id),
    () => imports.run(resumed),
  );
  assert.deepEqual([...(await contacts(imports)).keys()], ['p1@x.jp', 'p2@x.jp']);
  assert.equal((await imports.read(row.id)).suppressed_count, 1);
});

test('an address whose suppression is lifted between two looks at it is suppressed anew', async () => {
  const imports = await newImports();
  const asked = { email: 'never@x.jp', reason: 'admin' };
  const first = await imports.act((work) => createSuppression(work, asked));
  const second = await imports.act(async (outer) => {
    let lifted: Promise<void> | undefined;
    const query: typeof outer.connection.query = async (...statement) => {
      const rows = await outer.connection.query(...statement);
      lifted ??= imports.act((work) => deleteSuppression(work, first.id));
      await lifted;
      return rows as never;
    };
    const { organization_id, actor, now } = outer;
    const connection = Object.assign(Object.create(outer.connection), { query });
    const who = { organization_id, actor, now, request_id: null, ip_address: null };
    const work = new Work({ connection, ...who });
    const made = await createSuppression(work, asked);
    await work.flushFacts();
    return made;
  });
  assert.deepEqual(
    await imports.query('SELECT id FROM suppressions WHERE organization_id = $1', [imports.organization_id]),
    [{ id: second.id }],
  );
});
