import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MOST_UPLOADS } from '../../../shared/cloud/uploads/create.ts';
import { expireUploads } from '../../../shared/cloud/uploads/sweep.ts';
import { removeLooseFiles } from '../../../shared/platform/storage/loose-files.ts';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { storedFiles } from '../../support/stored.ts';
import { sha256, tusOf } from '../../support/tus.ts';

const HOUR = 60 * 60_000;

let shift = 0;
const now = () => new Date(Date.now() + shift);
const app = await startApp({ now });
const running = new AbortController().signal;

const usage = async (office: Office) => {
  const { used_bytes, reserved_bytes } = (await office.get('/cloud/usage')).body.usage;
  return [used_bytes, reserved_bytes];
};

/** Both sweeps, as a worker runs them. */
async function sweep(): Promise<void> {
  const files = { database: app.database, storage: app.context.storage };
  await expireUploads(app.database, now(), running);
  await removeLooseFiles(files, now(), running);
}

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

describe('an upload whose target is gone', () => {
  test('fails with the code, keeps its bytes for a day and is completed elsewhere', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const folder = await office.folder('f');
    const id = await tus.begin(3, { filename: 'a.txt', folder_id: folder.id });
    await office.delete(`/cloud/folders/${folder.id}`);
    assert.deepEqual(codeOf(await tus.patch(id, 0, 'abc')), [422, 'unknown_reference']);
    const failed = await tus.read(id);
    assert.deepEqual([failed.status, failed.error, failed.offset], ['failed', 'unknown_reference', 3]);
    assert.deepEqual(codeOf(await tus.patch(id, 3, '')), [422, 'unknown_reference']);
    assert.equal((await tus.head(id)).status, 422);
    assert.deepEqual(await usage(office), [0, 3]);
    await sweep();
    const again = await office.post(`/cloud/uploads/${id}/complete`, { folder_id: folder.id });
    assert.deepEqual(codeOf(again), [422, 'unknown_reference']);
    const saved = await office.post(`/cloud/uploads/${id}/complete`, { name: 'b.txt' });
    assert.equal(saved.status, 200, saved.text);
    assert.deepEqual(
      [saved.body.file.name, saved.body.file.folder_id, saved.body.file.sha256],
      ['b.txt', null, sha256('abc')],
    );
    assert.equal((await office.get(`/cloud/files/${saved.body.file.id}/content`)).text, 'abc');
    const completed = await tus.read(id);
    assert.deepEqual(
      [completed.status, completed.error, completed.result_file_id, completed.file_name],
      ['completed', null, saved.body.file.id, 'b.txt'],
    );
    assert.deepEqual(await usage(office), [3, 0]);
    const twice = await office.post(`/cloud/uploads/${id}/complete`, {});
    assert.deepEqual(codeOf(twice), [409, 'invalid_transition']);
  });

  test('is so too where the file is, or the right', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const tus = tusOf(member);
    const folder = await owner.folder('f');
    const file = await owner.file('v.txt', 'one', folder.id);
    const version = await tus.begin(3, { file_id: file.id });
    const placed = await tus.begin(3, { filename: 'n', folder_id: folder.id });
    const unseen = await tus.begin(3, { filename: 'm', folder_id: folder.id });
    await owner.delete(`/cloud/files/${file.id}`);
    assert.deepEqual(codeOf(await tus.patch(version, 0, 'abc')), [422, 'unknown_reference']);
    const access = (role: string | null) =>
      owner.put(`/cloud/folders/${folder.id}/access`, {
        mode: 'restricted',
        grants: role ? [{ type: 'user', id: member.user_id, role }] : [],
      });
    assert.equal((await access('viewer')).status, 200);
    assert.deepEqual(codeOf(await tus.patch(placed, 0, 'abc')), [403, 'folder_permission']);
    assert.equal((await tus.read(placed)).error, 'folder_permission');
    assert.equal((await access(null)).status, 200);
    assert.deepEqual(codeOf(await tus.patch(unseen, 0, 'abc')), [422, 'unknown_reference']);
    for (const id of [version, placed, unseen]) {
      const saved = await member.post(`/cloud/uploads/${id}/complete`, { folder_id: null });
      assert.equal(saved.status, 200, saved.text);
    }
    assert.deepEqual(await member.names(), ['m', 'n', 'v.txt']);
    assert.deepEqual((await usage(owner))[1], 0);
  });

  test('fails for other bytes than announced, of which none stay', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const before = storedFiles(app);
    const id = await tus.begin(3, { filename: 'a', sha256: sha256('abd') });
    assert.deepEqual(codeOf(await tus.patch(id, 0, 'abc')), [422, 'checksum_mismatch']);
    assert.equal((await tus.read(id)).error, 'checksum_mismatch');
    assert.deepEqual(await usage(office), [0, 0]);
    const saved = await office.post(`/cloud/uploads/${id}/complete`, {});
    assert.deepEqual(codeOf(saved), [409, 'invalid_transition']);
    await sweep();
    assert.deepEqual(storedFiles(app), before);
    assert.deepEqual(await office.names(), []);
  });
});

describe('the room of uploads', () => {
  test('is that of their whole length from the beginning: ten of a tenth succeed, however many come', async () => {
    const office = await newOffice(app);
    await office.patch('/cloud/settings', { quota_bytes: 1000 });
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, n) => tusOf(office).create(100, { filename: `${n}` })),
    );
    assert.equal(asked.filter(({ status }) => status === 201).length, 10);
    const refused = asked.find(({ status }) => status !== 201)!;
    assert.deepEqual([...codeOf(refused), refused.body.free_bytes], [413, 'quota_exceeded', 0]);
    assert.deepEqual(await usage(office), [0, 1000]);
    const [first] = asked.filter(({ status }) => status === 201);
    const id = first!.headers.get('location')!.split('/').at(-1)!;
    assert.equal((await tusOf(office).end(id)).status, 204);
    assert.deepEqual(await usage(office), [0, 900]);
  });

  test('and their number are bounded for each person', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const asked = await Promise.all(
      Array.from({ length: MOST_UPLOADS + 5 }, (_, n) => tus.create(1, { filename: `${n}` })),
    );
    assert.equal(asked.filter(({ status }) => status === 201).length, MOST_UPLOADS);
    assert.deepEqual(codeOf(asked.find(({ status }) => status !== 201)!), [409, 'limit_reached']);
    const colleague = await office.colleague();
    assert.equal((await tusOf(colleague).create(1, { filename: 'x' })).status, 201);
  });

  test('is given back a day after the last byte, with the bytes', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const before = storedFiles(app);
    const folder = await office.folder('f');
    const failed = await tus.begin(3, { filename: 'b', folder_id: folder.id });
    await office.delete(`/cloud/folders/${folder.id}`);
    await tus.patch(failed, 0, 'abc');
    const id = await tus.begin(10);
    shift += 23 * HOUR;
    assert.equal((await tus.patch(id, 0, 'abc')).status, 204);
    shift += 2 * HOUR;
    await sweep();
    assert.deepEqual(
      [(await tus.read(id)).status, (await tus.read(failed)).status],
      ['receiving', 'expired'],
    );
    assert.equal((await tus.patch(id, 3, 'def')).status, 204);
    assert.deepEqual(codeOf(await office.post(`/cloud/uploads/${failed}/complete`, {})), [410, 'expired']);
    shift += 24 * HOUR + 1;
    assert.deepEqual(codeOf(await tus.patch(id, 6, 'ghi')), [410, 'expired']);
    assert.equal((await tus.head(id)).status, 410);
    assert.deepEqual(await usage(office), [0, 10]);
    await sweep();
    await sweep();
    assert.equal((await tus.read(id)).status, 'expired');
    assert.deepEqual(await usage(office), [0, 0]);
    assert.deepEqual(storedFiles(app), before);
    shift += 8 * 24 * HOUR;
    await sweep();
    assert.equal((await office.get(`/cloud/uploads/${id}`)).status, 404);
  });
});
