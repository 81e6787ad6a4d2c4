import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import { newOffice } from '../../support/cloud.ts';

const app = await startApp();

describe('a folder', () => {
  test('knows where it is, how deep, and what is in it', async () => {
    const office = await newOffice(app);
    const top = await office.folder('契約書', null, { description: '2026年度' });
    assert.deepEqual([top.depth, top.path, top.permission, top.access], [1, [], 'manager', 'inherited']);
    const below = await office.folder('締結済み', top.id, { external_id: 'K-1', metadata: { erp: '7' } });
    assert.deepEqual(below.path, [{ id: top.id, name: '契約書' }]);
    await office.file('a.txt', 'a', top.id);
    const { body } = await office.get(`/cloud/folders/${top.id}`);
    assert.deepEqual([body.folder.folder_count, body.folder.file_count], [1, 1]);
    assert.deepEqual((await office.get(`/cloud/folders/${top.id}/usage`)).body.usage, {
      folder_count: 1,
      file_count: 1,
      size_bytes: 1,
    });
    assert.deepEqual((await office.get('/cloud/folders/root/usage')).body.usage, {
      folder_count: 2,
      file_count: 1,
      size_bytes: 1,
    });
  });

  test('has a name that nothing else in its place has, in any letters', async () => {
    const office = await newOffice(app);
    const first = await office.folder('Report');
    const again = await office.post('/cloud/folders', { name: ' rePORT ' });
    assert.deepEqual(
      [again.status, again.body.code, again.body.existing_id],
      [409, 'already_exists', first.id],
    );
    const file = await office.store('REPORT', 'x');
    assert.deepEqual([file.status, file.body.code], [409, 'already_exists']);
    const renamed = await office.post('/cloud/folders', { name: 'report', on_conflict: 'rename' });
    assert.equal(renamed.body.folder.name, 'report (2)');
    const existing = await office.post('/cloud/folders', { name: 'REPORT', on_conflict: 'existing' });
    assert.deepEqual([existing.status, existing.body.folder.id], [200, first.id]);
    await office.folder('Report', first.id);
  });

  for (const [what, name] of [
    ['of spaces', '   '],
    ['of two dots', '..'],
    ['with a slash', 'a/b'],
    ['with NUL', 'a\0b'],
    ['that turns the direction', 'a\u202eb'],
    ['of 256 bytes', 'a'.repeat(256)],
  ] as const) {
    test(`has no name ${what}`, async () => {
      const office = await newOffice(app);
      const { status, body } = await office.post('/cloud/folders', { name });
      assert.deepEqual([status, body.errors[0].path], [422, '/name']);
    });
  }

  test('is read in pages: folders by name, then files, with its total on each', async () => {
    const office = await newOffice(app);
    const { id } = await office.folder('f');
    for (const at of [id, null]) {
      for (const name of ['b', 'c', 'a']) await office.folder(`${name}-folder`, at);
      for (const name of ['b', 'c', 'a']) await office.file(`${name}.txt`, name, at);
    }
    const names = ['a-folder', 'b-folder', 'c-folder', 'a.txt', 'b.txt', 'c.txt'];
    for (const [path, expected] of [
      [`/cloud/folders/${id}/children`, names],
      ['/cloud/folders/root/children', [...names.slice(0, 3), 'f', ...names.slice(3)]],
    ] as const) {
      for (const limit of [1, 2, 3, 4]) {
        const found: string[] = [];
        let next = `${path}?limit=${limit}`;
        for (;;) {
          const { body } = await office.get(next);
          const items = body.items ?? body.data;
          assert.equal(body.total ?? expected.length, expected.length);
          found.push(...items.map(({ name }: { name: string }) => name));
          if (body.has_more === false) break;
          next = `${path}?limit=${limit}&starting_after=${items.at(-1).id}`;
        }
        assert.deepEqual(found, expected, `${path} by ${limit}`);
      }
    }
  });

  test('goes where there is a place for it, and not below itself', async () => {
    const office = await newOffice(app);
    const a = await office.folder('a');
    const b = await office.folder('b', a.id);
    const cycle = await office.patch(`/cloud/folders/${a.id}`, { parent_id: b.id });
    assert.deepEqual([cycle.status, cycle.body.code], [409, 'folder_cycle']);
    const itself = await office.patch(`/cloud/folders/${a.id}`, { parent_id: a.id });
    assert.deepEqual([itself.status, itself.body.code], [409, 'folder_cycle']);
    const moved = await office.patch(`/cloud/folders/${b.id}`, { parent_id: null });
    assert.deepEqual([moved.status, moved.body.folder.depth], [200, 1]);
    const unknown = await office.patch(`/cloud/folders/${b.id}`, {
      parent_id: 'fold_01kaj2n5w5fq8b4m0g3v7x9rtc',
    });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference']);
    const { body } = await office.get(`/cloud/folders/${a.id}`);
    assert.equal(body.folder.folder_count, 0);
  });

  test('is on 32 levels at most, with all below it', async () => {
    const office = await newOffice(app);
    const chain = [await office.folder('1')];
    for (let level = 2; level <= 32; level += 1)
      chain.push(await office.folder(String(level), chain.at(-1).id));
    const deeper = await office.post('/cloud/folders', { name: '33', parent_id: chain.at(-1).id });
    assert.deepEqual([deeper.status, deeper.body.code], [409, 'too_deep']);
    const pair = await office.folder('pair');
    await office.folder('below', pair.id);
    const moved = await office.patch(`/cloud/folders/${pair.id}`, { parent_id: chain[30].id });
    assert.deepEqual([moved.status, moved.body.code], [409, 'too_deep']);
    assert.equal((await office.patch(`/cloud/folders/${pair.id}`, { parent_id: chain[29].id })).status, 200);
  });

  test('that goes where another one goes at the same time closes no circle', async () => {
    const office = await newOffice(app);
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await office.folder(`a${round}`), await office.folder(`b${round}`)];
      const moves = await Promise.all([
        persistently(() => office.patch(`/cloud/folders/${a.id}`, { parent_id: b.id })),
        persistently(() => office.patch(`/cloud/folders/${b.id}`, { parent_id: a.id })),
      ]);
      assert.deepEqual(moves.map(({ status }) => status).sort(), [200, 409]);
    }
  });

  test('is made once by fifty who ask for the name at once', async () => {
    const office = await newOffice(app);
    const made = await Promise.all(
      Array.from({ length: 50 }, () => persistently(() => office.post('/cloud/folders', { name: 'once' }))),
    );
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, ...Array<number>(49).fill(409)]);
    const numbered = await Promise.all(
      Array.from({ length: 20 }, () =>
        persistently(() => office.post('/cloud/folders', { name: 'many', on_conflict: 'rename' })),
      ),
    );
    const names = new Set(numbered.map(({ body }) => body.folder.name));
    assert.equal(names.size, 20);
  });
});
