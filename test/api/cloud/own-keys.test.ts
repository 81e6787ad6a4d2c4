import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();

const byKey = async (office: Office, kind: 'folders' | 'files', key: string): Promise<string[]> =>
  (await office.get(`/cloud/${kind}?external_id=${key}`)).body.items.map(({ id }: { id: string }) => id);

const restore = (office: Office, id: string) => office.post(`/cloud/trash/${id}/restore`, {});

/** A folder with a folder and a file in it that have keys, two levels down. */
async function withKeys(office: Office, suffix = '') {
  const top = await office.folder(`top${suffix}`);
  const below = await office.folder('below', top.id);
  const folder = await office.folder('folder', below.id, { external_id: 'K-1' });
  const file = await office.file('file', `file${suffix}`, below.id);
  const { status } = await office.patch(`/cloud/files/${file.id}`, { external_id: 'K-2' });
  assert.equal(status, 200);
  return { top, below, folder, file };
}

describe('an external_id below a folder in the trash', () => {
  test('is free, and comes back with the folder', async () => {
    const office = await newOffice(app);
    const { top, folder, file } = await withKeys(office);
    const taken = await office.post('/cloud/folders', { name: 'other', external_id: 'K-1' });
    assert.deepEqual([taken.status, taken.body.existing_id], [409, folder.id]);
    await office.delete(`/cloud/folders/${top.id}`);
    assert.deepEqual([await byKey(office, 'folders', 'K-1'), await byKey(office, 'files', 'K-2')], [[], []]);
    assert.equal((await restore(office, top.id)).status, 200);
    assert.deepEqual(await byKey(office, 'folders', 'K-1'), [folder.id]);
    assert.deepEqual(await byKey(office, 'files', 'K-2'), [file.id]);
  });

  test('keeps the folder in the trash while another record that lives has it', async () => {
    const office = await newOffice(app);
    const { top, folder, file } = await withKeys(office);
    await office.delete(`/cloud/folders/${top.id}`);
    const other = await office.folder('other', null, { external_id: 'K-1' });
    const copy = await office.file('copy');
    assert.equal((await office.patch(`/cloud/files/${copy.id}`, { external_id: 'K-2' })).status, 200);
    const refused = await restore(office, top.id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists']);
    assert.equal(refused.body.errors[0].path, '/external_id');
    assert.ok([other.id, copy.id].includes(refused.body.existing_id));
    await office.patch(`/cloud/folders/${other.id}`, { external_id: null });
    assert.equal((await restore(office, top.id)).body.existing_id, copy.id);
    await office.delete(`/cloud/files/${copy.id}`);
    assert.equal((await restore(office, top.id)).status, 200);
    assert.deepEqual(await byKey(office, 'files', 'K-2'), [file.id]);
    const again = await restore(office, copy.id);
    assert.deepEqual([again.status, again.body.existing_id], [409, file.id]);
    const third = await office.post('/cloud/folders', { name: 'third', external_id: 'K-1' });
    assert.deepEqual([third.status, third.body.existing_id], [409, folder.id]);
  });

  test('belongs to whichever of many trashed folders comes back first', async () => {
    const office = await newOffice(app);
    const trees = [];
    for (const suffix of ['1', '2', '3']) {
      const tree = await withKeys(office, suffix);
      trees.push(tree);
      await office.delete(`/cloud/folders/${tree.top.id}`);
    }
    for (const { top, file } of [trees[1]!, trees[0]!, trees[2]!]) {
      assert.equal((await restore(office, top.id)).status, 200);
      assert.deepEqual(await byKey(office, 'files', 'K-2'), [file.id]);
      for (const other of trees) {
        if (other.top.id !== top.id) assert.notEqual((await restore(office, other.top.id)).status, 200);
      }
      await office.delete(`/cloud/folders/${top.id}`);
    }
  });

  test('of an item that was trashed by itself first comes back only with that', async () => {
    const office = await newOffice(app);
    const { top, file } = await withKeys(office);
    await office.delete(`/cloud/files/${file.id}`);
    await office.delete(`/cloud/folders/${top.id}`);
    const other = await office.file('other');
    await office.patch(`/cloud/files/${other.id}`, { external_id: 'K-2' });
    assert.equal((await restore(office, top.id)).status, 200);
    assert.equal((await restore(office, file.id)).body.existing_id, other.id);
    await office.patch(`/cloud/files/${other.id}`, { external_id: null });
    assert.equal((await restore(office, file.id)).status, 200);
    assert.deepEqual(await byKey(office, 'files', 'K-2'), [file.id]);
  });

  test('has one living record, whatever takes it at once', async () => {
    const office = await newOffice(app);
    for (let round = 0; round < 4; round += 1) {
      const { top, folder } = await withKeys(office, String(round));
      await office.delete(`/cloud/folders/${top.id}`);
      const [back, ...made] = await Promise.all([
        persistently(() => restore(office, top.id)),
        ...[1, 2, 3].map((n) =>
          persistently(() => office.post('/cloud/folders', { name: `${round}-${n}`, external_id: 'K-1' })),
        ),
      ]);
      const won = [back!, ...made].filter(({ status }) => status < 300);
      assert.equal(won.length, 1, JSON.stringify([back, ...made].map((each) => each!.body)));
      const living = await byKey(office, 'folders', 'K-1');
      assert.deepEqual(living, [won[0] === back ? folder.id : won[0]!.body.folder.id]);
      await office.delete(`/cloud/folders/${won[0] === back ? top.id : living[0]}`);
    }
  });
});

test('what a form says of a file is kept also where that gets a version', async () => {
  const office = await newOffice(app);
  const { id } = await office.file('a.txt', 'one');
  const other = await office.file('b.txt', 'b');
  await office.patch(`/cloud/files/${other.id}`, { external_id: 'K-2' });
  const send = (content: string, fields: Record<string, string>) =>
    office.post('/cloud/files', formWith(content, { name: 'a.txt', on_conflict: 'version', ...fields }));
  const said = { description: 'signed', external_id: 'K-1', metadata: '{"case":"7"}' };
  for (const content of ['two', 'two']) {
    const { status, body, text } = await send(content, said);
    assert.equal(status, 200, text);
    const { file } = body;
    assert.deepEqual(
      [file.id, file.version_number, file.description, file.external_id, file.metadata],
      [id, 2, 'signed', 'K-1', { case: '7' }],
    );
    const read = (await office.get(`/cloud/files/${id}`)).body.file;
    assert.deepEqual(read, file);
  }
  const taken = await send('three', { external_id: 'K-2' });
  assert.deepEqual([taken.status, taken.body.existing_id], [409, other.id]);
  assert.equal((await office.get(`/cloud/files/${id}/content`)).text, 'two');
});
