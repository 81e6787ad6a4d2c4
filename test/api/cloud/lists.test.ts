import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { newOffice } from '../../support/cloud.ts';
import { sha256 } from '../../support/tus.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();

const namesIn = ({ body }: Reply) => (body.items ?? body.data).map(({ name }: { name: string }) => name);

describe('a list by size', () => {
  test('is that of what is in a folder, folders at its end, page by page', async () => {
    const office = await newOffice(app);
    for (const [name, size] of [
      ['a', 2],
      ['b', 30],
      ['c', 1],
    ] as const)
      await office.file(name, 'x'.repeat(size));
    await office.folder('folder');
    const path = '/cloud/folders/root/children?sort=size_bytes:asc';
    assert.deepEqual(namesIn(await office.get(path)), ['c', 'a', 'b', 'folder']);
    const first = await office.get(`${path}&limit=2&cursor_mode=true`);
    assert.deepEqual(namesIn(first), ['c', 'a']);
    const next = await office.get(`${path}&limit=2&starting_after=${first.body.data.at(-1).id}`);
    assert.deepEqual(namesIn(next), ['b', 'folder']);
  });

  test('is that of the trash, page by page', async () => {
    const office = await newOffice(app);
    for (const [name, size] of [
      ['a', 2],
      ['b', 30],
      ['c', 1],
    ] as const) {
      const { id } = await office.file(name, 'x'.repeat(size));
      await office.delete(`/cloud/files/${id}`);
    }
    const path = '/cloud/trash?sort=size_bytes:desc&limit=2';
    const first = await office.get(`${path}&cursor_mode=true`);
    assert.deepEqual(namesIn(first), ['b', 'a']);
    const next = await office.get(`${path}&starting_after=${first.body.data.at(-1).id}`);
    assert.deepEqual(namesIn(next), ['c']);
  });

  test('is that of the versions of a file, which is also in the order of their change', async () => {
    const office = await newOffice(app);
    const { id } = await office.file('a.txt', 'xxx');
    for (const content of ['x', 'xx']) await office.store('a.txt', content);
    for (const [sort, sizes] of [
      ['size_bytes:asc', [1, 2, 3]],
      ['updated_at:asc', [3, 1, 2]],
      ['created_at:desc', [2, 1, 3]],
    ] as const) {
      const { status, body, text } = await office.get(`/cloud/files/${id}/versions?sort=${sort}`);
      assert.equal(status, 200, text);
      assert.deepEqual(
        body.items.map(({ size_bytes }: { size_bytes: number }) => size_bytes),
        sizes,
        sort,
      );
    }
  });
});

test('a hash is announced and found in letters of both cases, as programs write it', async () => {
  const office = await newOffice(app);
  const hash = sha256('abc').toUpperCase();
  const made = await office.post('/cloud/files', formWith('abc', { name: 'a.txt', sha256: hash }));
  assert.deepEqual([made.status, made.body.file?.sha256], [201, sha256('abc')], made.text);
  const other = await office.post('/cloud/files', formWith('abd', { name: 'b.txt', sha256: hash }));
  assert.deepEqual([other.status, other.body.code], [422, 'checksum_mismatch']);
  assert.deepEqual(namesIn(await office.get(`/cloud/files?sha256=${hash}`)), ['a.txt']);
});
