import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  createMailContact,
  deleteMailContact,
  updateMailContact,
} from '../../../../shared/mail/contacts/operations.ts';
import { joinMailList } from '../../../../shared/mail/lists/members.ts';
import { createMailList } from '../../../../shared/mail/lists/operations.ts';
import { cancelImport, resumeImport, revertImport } from '../../../../shared/platform/imports/operations.ts';
import { shownImport } from '../../../../shared/platform/imports/record.ts';
import type { Pace } from '../../../../shared/platform/imports/run/pace.ts';
import { giveUpRevert } from '../../../../shared/platform/imports/run/revert.ts';
import { failImport } from '../../../../shared/platform/imports/run/run.ts';
import { sweepOldImports } from '../../../../shared/platform/imports/sweep.ts';
import { cancelJob, requeueJobs } from '../../../../shared/platform/jobs/operations.ts';
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

const DAY = 24 * 60 * 60_000;
const HEADER = 'email,first_name,last_name\n';

async function newImports(clock?: () => Date): Promise<TestImports> {
  const actor = await newActor(database.database);
  return importsOf({ database, actor, storage: diskStorage(folder), ...(clock ? { clock } : {}) });
}

function rowsOf(count: number, first_name = 'Taro', from = 0): string {
  return Array.from({ length: count }, (_, at) => `p${from + at}@x.jp,${first_name},Yamada\n`).join('');
}

/** Chunks of ten rows; `between` is called after each with how many there were. */
function pacing(between: (chunks: number) => Promise<void>): Pace {
  let chunks = 0;
  return { size: () => 10, rest: async () => between(++chunks) };
}

type Known = { id: string; email: string; first_name: string | null; updated_at: string };

async function contacts(imports: TestImports): Promise<Map<string, Known>> {
  const rows = await imports.query<Known>(
    'SELECT id, email, first_name, updated_at FROM mail_contacts WHERE organization_id = $1 ORDER BY id',
    [imports.organization_id],
  );
  return new Map(rows.map((row) => [row.email, row]));
}

async function audits(imports: TestImports): Promise<string[]> {
  const rows = await imports.query<{ entry: string }>(
    `SELECT entity_type || ' ' || action AS entry FROM audit_logs
      WHERE organization_id = $1 AND domain = 'mail' AND entity_type = 'import' ORDER BY id`,
    [imports.organization_id],
  );
  return rows.map(({ entry }) => entry);
}

async function jobStatus(imports: TestImports, id: string): Promise<string> {
  const [row] = await imports.query<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [id]);
  return row!.status;
}

describe('an import that is stopped', () => {
  test('keeps what it had written when it is cancelled in the middle, and touches nothing more', async () => {
    const imports = await newImports();
    const row = await imports.create(HEADER + rowsOf(50));
    const pace = pacing(async (chunks) => {
      if (chunks === 2) await imports.act((work) => cancelImport(work, mailImport, row.id));
    });
    await imports.run(row, { pace });
    const done = await imports.read(row.id);
    assert.deepEqual([done.status, done.processed_rows, done.created_count], ['cancelled', 20, 20]);
    assert.equal(done.storage_key, null);
    assert.equal((await contacts(imports)).size, 20);
    assert.equal(await jobStatus(imports, row.job_id!), 'cancelled');
    assert.deepEqual(await audits(imports), ['import create']);
    await assert.rejects(
      imports.act((work) => resumeImport(work, mailImport, row.id)),
      { code: 'invalid_transition' },
    );
  });

  test('is cancelled when its job is', async () => {
    const imports = await newImports();
    const row = await imports.create(HEADER + rowsOf(50));
    const pace = pacing(async (chunks) => {
      if (chunks === 1) await imports.act((work) => cancelJob(work, row.job_id!));
    });
    await imports.run(row, { pace });
    const done = await imports.read(row.id);
    assert.equal(done.status, 'cancelled');
    assert.equal((await contacts(imports)).size, done.processed_rows);
  });

  test('ends a job that is tried again after the import has gone on without it', async () => {
    const imports = await newImports();
    const row = await imports.create(HEADER + rowsOf(3));
    const error = { code: 'gave_up', message: 'Given up after 10 tries' };
    const named = { import_id: row.id, job_id: row.job_id! };
    await imports.act((work) => failImport(work, [mailImport], named, error, { keepsFile: true }));
    const first = await imports.act((work) => revertImport(work, mailImport, row.id));
    await imports.act((work) => giveUpRevert(work, { ...named, job_id: first.job.id }, error));
    const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, row.id));
    await imports.revert(reverting);
    await imports.act((work) => requeueJobs(work, [row.job_id!, first.job.id]));
    await imports.run(row);
    await imports.revert({ id: row.id, job_id: first.job.id });
    assert.equal(await jobStatus(imports, row.job_id!), 'failed');
    assert.equal(await jobStatus(imports, first.job.id), 'failed');
    assert.equal((await imports.read(row.id)).status, 'reverted');
  });
});

describe('the same file once more', () => {
  test('changes nothing, and lets the contacts join the list all the same', async () => {
    const imports = await newImports();
    const { id: list_id } = await imports.act(async (work) => createMailList(work, { name: '客' }));
    const file = HEADER + rowsOf(25);
    await imports.run(await imports.create(file));
    const before = await contacts(imports);
    const again = await imports.create(file, { list_id });
    await imports.run(again);
    const done = await imports.read(again.id);
    assert.deepEqual([done.unchanged_count, done.created_count, done.updated_count], [25, 0, 0]);
    assert.deepEqual(await contacts(imports), before);
    const [list] = await imports.query('SELECT contact_count, active_count FROM mail_lists WHERE id = $1', [
      list_id,
    ]);
    assert.deepEqual(list, { contact_count: 25, active_count: 25 });
  });

  test('runs beside itself, into the same list, and one of the two makes each contact', async () => {
    const imports = await newImports();
    const { id: list_id } = await imports.act(async (work) => createMailList(work, { name: '客' }));
    const file = rowsOf(400).trimEnd().split('\n');
    const one = await imports.create(`${HEADER}${file.join('\n')}\n`, { list_id });
    const other = await imports.create(`${HEADER}${file.toReversed().join('\n')}\n`, { list_id });
    const pace = () => pacing(async () => {});
    await Promise.all([imports.run(one, { pace: pace() }), imports.run(other, { pace: pace() })]);
    const done = [await imports.read(one.id), await imports.read(other.id)];
    const sum = (name: 'created_count' | 'unchanged_count') => done[0]![name] + done[1]![name];
    assert.deepEqual([sum('created_count'), sum('unchanged_count')], [400, 400]);
    const [list] = await imports.query('SELECT contact_count, active_count FROM mail_lists WHERE id = $1', [
      list_id,
    ]);
    assert.deepEqual(list, { contact_count: 400, active_count: 400 });
  });
});

describe('an import that is undone', () => {
  test('leaves what somebody changed since, and gives the rest its state from before', async () => {
    const imports = await newImports();
    const { id: list_id } = await imports.act(async (work) => createMailList(work, { name: '客' }));
    const { id: other_list } = await imports.act(async (work) => createMailList(work, { name: '別' }));
    for (const email of ['p0@x.jp', 'p1@x.jp', 'p2@x.jp']) {
      await imports.act((work) => createMailContact(work, { email, first_name: 'Old' }));
    }
    const row = await imports.create(HEADER + rowsOf(8, 'New'), { list_id });
    await imports.run(row);
    const now = await contacts(imports);
    const idOf = (email: string) => now.get(email)!.id;
    await imports.act((work) => updateMailContact(work, idOf('p1@x.jp'), { first_name: 'Mine' }));
    await imports.act((work) => updateMailContact(work, idOf('p3@x.jp'), { first_name: 'Mine' }));
    await imports.act((work) => joinMailList(work, other_list, idOf('p4@x.jp')));
    const later = await imports.create(`${HEADER}p5@x.jp,New,Yamada\n`);
    await imports.run(later);

    const { row: reverting } = await imports.act((work) => revertImport(work, mailImport, row.id));
    assert.equal(reverting.status, 'reverting');
    await imports.revert(reverting);
    const done = await imports.read(row.id);
    assert.equal(done.status, 'reverted');
    const { from: _, after: __, ...counts } = done.revert!;
    // p1 keeps its own first name, and gets its last name back.
    assert.deepEqual(counts, {
      deleted_count: 2,
      restored_count: 3,
      removed_membership_count: 8,
      left_count: 4,
    });
    const left = await contacts(imports);
    assert.deepEqual([...left.values()].map(({ email, first_name }) => [email, first_name]).sort(), [
      ['p0@x.jp', 'Old'],
      ['p1@x.jp', 'Mine'],
      ['p2@x.jp', 'Old'],
      ['p3@x.jp', 'Mine'],
      ['p4@x.jp', 'New'],
      ['p5@x.jp', 'New'],
    ]);
    const lists = await imports.query(
      'SELECT contact_count, active_count FROM mail_lists WHERE organization_id = $1 ORDER BY id',
      [imports.organization_id],
    );
    assert.deepEqual(lists, [
      { contact_count: 0, active_count: 0 },
      { contact_count: 1, active_count: 1 },
    ]);
    assert.deepEqual(await audits(imports), ['import create', 'import create', 'import update']);
    await assert.rejects(
      imports.act((work) => revertImport(work, mailImport, row.id)),
      { code: 'invalid_transition' },
    );
  });

  test('can be undone for 30 days; then the values from before are gone, and so are its faulty rows', async () => {
    let now = new Date('2026-04-01T00:00:00Z');
    const imports = await newImports(() => now);
    await imports.act((work) => createMailContact(work, { email: 'p0@x.jp', first_name: 'Old' }));
    const row = await imports.create(`${HEADER}no address,a,b\n${rowsOf(1, 'New')}`);
    await imports.run(row);
    const kept = () =>
      imports.query(
        `SELECT key AS id FROM import_outcomes WHERE import_id = $1
         UNION ALL SELECT id FROM import_errors WHERE import_id = $1`,
        [row.id],
      );
    assert.equal((await kept()).length, 2);
    assert.equal(shownImport(await imports.read(row.id)).expires_at, '2026-05-01T00:00:00.000Z');
    await sweepOldImports(
      database.database,
      new Date(now.getTime() + 29 * DAY),
      new AbortController().signal,
    );
    assert.equal((await kept()).length, 2);
    now = new Date(now.getTime() + 31 * DAY);
    await assert.rejects(
      imports.act((work) => revertImport(work, mailImport, row.id)),
      { code: 'expired' },
    );
    await sweepOldImports(database.database, now, new AbortController().signal);
    assert.equal((await kept()).length, 0);
    assert.equal((await imports.read(row.id)).error_count, 1, 'how many there were stays');
  });

  test('holds no values of a contact that was erased', async () => {
    const imports = await newImports();
    const { id } = await imports.act((work) =>
      createMailContact(work, { email: 'p0@x.jp', first_name: 'Old' }),
    );
    const row = await imports.create(HEADER + rowsOf(1, 'New'));
    await imports.run(row);
    await imports.act((work) => deleteMailContact(work, id));
    const kept = await imports.query('SELECT before FROM import_outcomes WHERE import_id = $1', [row.id]);
    assert.deepEqual(kept, [{ before: null }]);
  });

  test('cannot be undone when it was a dry run, which writes nothing but its report', async () => {
    const imports = await newImports();
    const row = await imports.create(`${HEADER}no address,a,b\n${rowsOf(30)}`, { dry_run: true });
    await imports.run(row, { pace: pacing(async () => {}) });
    const done = await imports.read(row.id);
    assert.deepEqual([done.created_count, done.error_count], [30, 1]);
    assert.equal((await contacts(imports)).size, 0);
    assert.deepEqual(
      await imports.query('SELECT key FROM import_outcomes WHERE import_id = $1', [row.id]),
      [],
    );
    await assert.rejects(
      imports.act((work) => revertImport(work, mailImport, row.id)),
      { code: 'invalid_transition' },
    );
  });
});
