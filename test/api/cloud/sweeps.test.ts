import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { pruneVersions } from '../../../shared/cloud/files/prune.ts';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { expireUploads } from '../../../shared/cloud/uploads/sweep.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { somebodyWaits, whileHeld } from '../../support/held.ts';
import { tusOf } from '../../support/tus.ts';

const app = await startApp();
const later = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
const { signal } = new AbortController();

async function administer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: app.database_url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** The database refuses every change of what an organization has in the table meanwhile. */
async function whileRefused(table: string, { organization_id }: Office, run: () => Promise<void>) {
  await administer(`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'refused';
    END $$;
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW
      WHEN (OLD.organization_id = '${organization_id}') EXECUTE FUNCTION refuse_change()`);
  try {
    await run();
  } finally {
    await administer(`DROP TRIGGER refuse_change ON ${table}`);
  }
}

/** Two organizations, in the order in which a sweep that goes by organizations finds them. */
async function offices(): Promise<[Office, Office]> {
  const made = [await newOffice(app), await newOffice(app)].sort((a, b) =>
    a.organization_id < b.organization_id ? -1 : 1,
  );
  return [made[0]!, made[1]!];
}

test('the trash of one organization that cannot be purged keeps no other from being purged', async () => {
  const [troubled, other] = await offices();
  const trashed = async (office: Office) => {
    const { id } = await office.file('a.txt', 'abc');
    assert.equal((await office.delete(`/cloud/files/${id}`)).status, 200);
  };
  const used = async (office: Office) => (await office.get('/cloud/usage')).body.usage.used_bytes;
  await trashed(troubled);
  await trashed(other);
  await whileRefused('cloud_versions', troubled, async () => {
    // At first it is due by its days; then it was given up, and comes before all others.
    for (const days of [31, 62]) {
      const purging = purgeTrash(app.database, later(days), signal);
      await assert.rejects(purging, /1 items of the trash could not be purged/);
      assert.deepEqual([await used(troubled), await used(other)], [3, 0]);
      await trashed(other);
    }
  });
  assert.equal(await purgeTrash(app.database, later(93), signal), 2);
  assert.deepEqual([await used(troubled), await used(other)], [0, 0]);
});

test('lists and downloads are answered while a purge is in the midst of its rows', async () => {
  const office = await newOffice(app);
  const [going, staying] = [await office.folder('going'), await office.folder('staying')];
  for (const { id } of [going, staying]) for (const name of ['a', 'b']) await office.file(name, name, id);
  const kept = (await office.get(`/cloud/files?folder_id=${staying.id}`)).body.items;
  await office.delete(`/cloud/folders/${going.id}`);
  await office.delete(`/cloud/trash/${going.id}`);
  let purging = Promise.resolve(0);
  // Its files and versions are deleted by then, and not committed.
  await whileHeld(app.database, 'loose_files', async () => {
    purging = purgeTrash(app.database, new Date(), signal);
    await somebodyWaits(app.database);
    for (const path of [
      `/cloud/folders/${staying.id}/children`,
      '/cloud/folders/root/children',
      '/cloud/files?search=a',
      '/cloud/trash',
      '/cloud/usage',
      `/cloud/files/${kept[0].id}/content`,
    ]) {
      assert.equal((await office.get(path)).status, 200, path);
    }
    // One that changes names and rights waits for no row of the purge either.
    const renamed = await office.patch(`/cloud/folders/${staying.id}`, { name: 'stays' });
    assert.equal(renamed.status, 200, renamed.text);
  });
  assert.equal(await purging, 1);
});

test('a file whose old versions cannot be pruned keeps no other from being pruned', async () => {
  const [troubled, other] = await offices();
  for (const office of [troubled, other]) {
    await office.patch('/cloud/settings', { version_days: 1, version_count: 1 });
    for (const content of ['1', '2', '3']) await office.store('a', content);
  }
  const used = async (office: Office) => (await office.get('/cloud/usage')).body.usage.used_bytes;
  await whileRefused('cloud_versions', troubled, async () => {
    const pruning = pruneVersions(app.database, later(2), signal);
    await assert.rejects(pruning, /1 files could not be pruned/);
    assert.deepEqual([await used(troubled), (await used(other)) < 3], [3, true]);
  });
  assert.equal(await pruneVersions(app.database, later(2), signal), 1);
  assert.equal(await used(troubled), await used(other));
});

test('an upload that cannot be ended keeps no other from being ended', async () => {
  const [troubled, other] = await offices();
  await tusOf(troubled).begin(3);
  await tusOf(other).begin(3);
  const reserved = async (office: Office) => (await office.get('/cloud/usage')).body.usage.reserved_bytes;
  await whileRefused('cloud_uploads', troubled, async () => {
    const ending = expireUploads(app.database, later(2), signal);
    await assert.rejects(ending, /1 uploads could not be ended/);
    assert.deepEqual([await reserved(troubled), await reserved(other)], [3, 0]);
  });
  assert.equal(await expireUploads(app.database, later(2), signal), 1);
  assert.equal(await reserved(troubled), 0);
});
