import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { looseFiles, storedFiles } from '../../support/stored.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

describe('a file', () => {
  test('comes by a form, and is what was sent', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('見積書');
    const form = formWith('%PDF-1.4\n', {
      name: '見積書.pdf',
      folder_id: folder.id,
      sha256: sha256('%PDF-1.4\n'),
    });
    const { status, body, headers } = await office.post('/cloud/files', form);
    assert.equal(status, 201, JSON.stringify(body));
    const { file } = body;
    assert.equal(headers.get('location'), `/api/v1/cloud/files/${file.id}`);
    assert.deepEqual(
      [
        file.name,
        file.folder_id,
        file.size_bytes,
        file.sha256,
        file.content_type,
        file.extension,
        file.version_number,
      ],
      ['見積書.pdf', folder.id, 9, sha256('%PDF-1.4\n'), 'application/pdf', 'pdf', 1],
    );
    const content = await office.get(`/cloud/files/${file.id}/content`);
    assert.deepEqual([content.status, content.text], [200, '%PDF-1.4\n']);
    assert.equal(content.headers.get('etag'), `"sha256:${file.sha256}"`);
    const part = await office.get(`/cloud/files/${file.id}/content`, { Range: 'bytes=-3' });
    assert.deepEqual([part.status, part.text], [206, '.4\n']);
  });

  test('of other bytes than announced is refused, and nothing of it stays', async () => {
    const office = await newOffice(app);
    const before = await storedFiles(app);
    const form = await office.post('/cloud/files', formWith('a', { name: 'a', sha256: sha256('b') }));
    assert.deepEqual([form.status, form.body.code], [422, 'checksum_mismatch']);
    const digest = `sha-256=:${Buffer.from(sha256('b'), 'hex').toString('base64')}:`;
    const put = await office.store('a', 'a', null, { 'Repr-Digest': digest });
    assert.deepEqual([put.status, put.body.code], [422, 'checksum_mismatch']);
    assert.deepEqual(await storedFiles(app), before);
    assert.deepEqual((await office.get('/cloud/usage')).body.usage.reserved_bytes, 0);
  });

  test('by PUT is made, then gets versions, but none for the same bytes', async () => {
    const office = await newOffice(app);
    const first = await office.store('plan.txt', 'one');
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const same = await office.store('PLAN.txt', 'one');
    assert.deepEqual([same.status, same.body.file.version_id], [200, first.body.file.version_id]);
    const second = await office.store('plan.txt', 'two');
    assert.deepEqual([second.status, second.body.file.version_number], [200, 2]);
    const { id } = first.body.file;
    const { body } = await office.get(`/cloud/files/${id}/versions`);
    assert.deepEqual(
      body.items.map((each: { number: number; is_current: boolean }) => [each.number, each.is_current]),
      [
        [2, true],
        [1, false],
      ],
    );
    const old = await office.get(`/cloud/files/${id}/versions/${body.items[1].id}/content`);
    assert.equal(old.text, 'one');
    const restored = await office.post(`/cloud/files/${id}/versions/${body.items[1].id}/restore`);
    assert.deepEqual(
      [restored.status, restored.body.file.version_number, restored.body.file.sha256],
      [200, 3, sha256('one')],
    );
    assert.equal((await office.get(`/cloud/files/${id}/content`)).text, 'one');
    assert.deepEqual((await office.get('/cloud/usage')).body.usage.used_bytes, 9);
  });

  test('is put by conditions on its content', async () => {
    const office = await newOffice(app);
    const { body } = await office.store('a', 'one', null, { 'If-None-Match': '*' });
    const etag = `"sha256:${sha256('one')}"`;
    assert.equal((await office.store('a', 'two', null, { 'If-None-Match': '*' })).status, 412);
    assert.equal((await office.store('b', 'two', null, { 'If-Match': etag })).status, 412);
    assert.equal((await office.store('a', 'two', null, { 'If-Match': etag })).status, 200);
    assert.equal((await office.store('a', 'three', null, { 'If-Match': etag })).status, 412);
    const path = `/cloud/files/${body.file.id}/content`;
    assert.equal((await office.send('PUT', path, 'four', { 'If-Match': etag })).status, 412);
    assert.equal(
      (await office.send('PUT', path, 'four', { 'If-Match': `"sha256:${sha256('two')}"` })).status,
      200,
    );
  });

  test('that fifty put at once is made once, with one version', async () => {
    const office = await newOffice(app);
    const put = await Promise.all(
      Array.from({ length: 50 }, () => persistently(() => office.store('once.txt', 'the same bytes'))),
    );
    assert.deepEqual(put.map(({ status }) => status).sort(), [...Array<number>(49).fill(200), 201]);
    const { id } = put[0]!.body.file;
    assert.equal((await office.get(`/cloud/files/${id}/versions`)).body.total, 1);
    const { usage } = (await office.get('/cloud/usage')).body;
    assert.deepEqual([usage.used_bytes, usage.reserved_bytes, usage.file_count], [14, 0, 1]);
  });

  test('moves, and is copied without a byte', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('there');
    const file = await office.file('a.txt', 'abc');
    await office.file('a.txt', 'other', folder.id);
    const stored = (await storedFiles(app)).length;
    const taken = await office.post(`/cloud/files/${file.id}/move`, { folder_id: folder.id });
    assert.deepEqual([taken.status, taken.body.code], [409, 'already_exists']);
    const moved = await office.post(`/cloud/files/${file.id}/move`, {
      folder_id: folder.id,
      on_conflict: 'rename',
    });
    assert.deepEqual(
      [moved.status, moved.body.file.name, moved.body.file.folder_id],
      [200, 'a (2).txt', folder.id],
    );
    const copy = await office.post(`/cloud/files/${file.id}/copy`, { folder_id: null, name: 'copy.txt' });
    assert.deepEqual([copy.status, copy.body.file.sha256], [201, sha256('abc')]);
    assert.equal((await storedFiles(app)).length, stored);
    assert.deepEqual((await office.get('/cloud/usage')).body.usage.used_bytes, 11);
    assert.deepEqual(await office.names(folder.id), ['a (2).txt', 'a.txt']);
  });

  test('is found by what it is', async () => {
    const office = await newOffice(app);
    const folder = await office.folder('請求書');
    const below = await office.folder('2026', folder.id);
    const file = await office.file('港文具　請求書.txt', 'abc', below.id);
    await office.file('別の書類.txt', 'abcdef');
    const found = async (query: string) =>
      (await office.get(`/cloud/files?${query}`)).body.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(await found('search=請求'), [file.name]);
    assert.deepEqual(await found(`folder_id=${folder.id}`), []);
    assert.deepEqual(await found(`folder_id=${folder.id}&recursive=true`), [file.name]);
    assert.deepEqual(await found(`sha256=${sha256('abc')}`), [file.name]);
    assert.deepEqual(await found('size_min=4'), ['別の書類.txt']);
    assert.deepEqual((await found('folder_id=root&sort=size_bytes')).length, 1);
    assert.deepEqual((await found('extension=TXT&sort=name:asc')).length, 2);
  });

  test('has its versions kept, and old ones deleted', async () => {
    const office = await newOffice(app);
    const { id } = await office.file('a', 'one');
    await office.store('a', 'two');
    const path = `/cloud/files/${id}/versions`;
    const [current, old] = (await office.get(path)).body.items;
    assert.deepEqual((await office.patch(`${path}/${old.id}`, { keep: true })).body.version.keep, true);
    const refused = await office.delete(`${path}/${current.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
    const loose = (await looseFiles(app)).length;
    assert.equal((await office.delete(`${path}/${old.id}`)).status, 200);
    assert.equal((await office.get('/cloud/usage')).body.usage.used_bytes, 3);
    assert.equal((await office.get(path)).body.total, 1);
    assert.equal((await looseFiles(app)).length, loose + 1);
  });
});

test('a file of more than 5 GiB is refused before it comes, and takes no room', async () => {
  const office = await newOffice(app);
  for (const [method, path, type] of [
    ['PUT', '/cloud/folders/root/files/a.bin', 'application/octet-stream'],
    ['POST', '/cloud/files', 'multipart/form-data; boundary=x'],
  ] as const) {
    const sent = request(`${app.base_url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${office.actor.secret}`,
        'Content-Type': type,
        'Content-Length': String(6 * 1024 ** 3),
      },
    });
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    sent.flushHeaders();
    const [response] = await answered;
    assert.equal(response.statusCode, 413, method);
    assert.equal(((await json(response)) as { code: string }).code, 'body_too_large');
    sent.destroy();
  }
  assert.equal((await office.get('/cloud/usage')).body.usage.reserved_bytes, 0);
});

describe('the quota', () => {
  test('is passed by no uploads, however many come at once', async () => {
    const office = await newOffice(app);
    assert.equal((await office.patch('/cloud/settings', { quota_bytes: 1000 })).status, 200);
    const content = 'x'.repeat(100);
    const put = await Promise.all(
      Array.from({ length: 50 }, (_, n) => persistently(() => office.store(`${n}`, content))),
    );
    assert.equal(put.filter(({ status }) => status === 201).length, 10);
    const refused = put.find(({ status }) => status === 413)!;
    assert.deepEqual([refused.body.code, refused.body.free_bytes], ['quota_exceeded', 0]);
    assert.match(refused.body.detail, /^0 bytes are free\. Purge files from the trash/);
    const { usage } = (await office.get('/cloud/usage')).body;
    assert.deepEqual([usage.used_bytes, usage.reserved_bytes, usage.quota_bytes], [1000, 0, 1000]);
  });

  describe('and a body of unannounced length', () => {
    const MiB = 1024 * 1024;

    /** A PUT whose body comes chunk by chunk. */
    function putting(office: Office, name: string) {
      const sent = request(`${app.base_url}/api/v1/cloud/folders/root/files/${name}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${office.actor.secret}`, 'Transfer-Encoding': 'chunked' },
      });
      const answer = once(sent, 'response').then(async ([response]) => ({
        status: response.statusCode as number,
        body: await json(response),
      }));
      return { sent, answer };
    }

    const usage = async (office: Office) => (await office.get('/cloud/usage')).body.usage;

    test('takes its room in steps while it comes', async () => {
      const office = await newOffice(app);
      await office.patch('/cloud/settings', { quota_bytes: 20 * MiB });
      const { sent, answer } = putting(office, 'a');
      sent.write(Buffer.alloc(10));
      await until('a step is taken', async () => (await usage(office)).reserved_bytes === 8 * MiB);
      sent.write(Buffer.alloc(8 * MiB));
      await until('two are', async () => (await usage(office)).reserved_bytes === 16 * MiB);
      sent.write(Buffer.alloc(8 * MiB));
      await until('what is left is', async () => (await usage(office)).reserved_bytes === 20 * MiB);
      sent.end(Buffer.alloc(4 * MiB - 10));
      assert.equal((await answer).status, 201);
      const { used_bytes, reserved_bytes } = await usage(office);
      assert.deepEqual([used_bytes, reserved_bytes], [20 * MiB, 0]);
    });

    test('is refused where it passes the quota, before all of it has come', async () => {
      const office = await newOffice(app);
      await office.patch('/cloud/settings', { quota_bytes: 9 * MiB });
      const before = storedFiles(app);
      const { sent, answer } = putting(office, 'a');
      sent.write(Buffer.alloc(9 * MiB + 1));
      const { status, body } = await answer;
      assert.deepEqual([status, (body as { code: string }).code], [413, 'quota_exceeded']);
      sent.destroy();
      await until('nothing of it is left', async () => {
        const { used_bytes, reserved_bytes } = await usage(office);
        return used_bytes + reserved_bytes === 0 && storedFiles(app).length === before.length;
      });
    });

    test('comes in a form too', async () => {
      const office = await newOffice(app);
      await office.patch('/cloud/settings', { quota_bytes: 5 * MiB });
      const sent = request(`${app.base_url}/api/v1/cloud/files`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${office.actor.secret}`,
          'Content-Type': 'multipart/form-data; boundary=x',
          'Transfer-Encoding': 'chunked',
        },
      });
      const answered = once(sent, 'response');
      sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
      sent.write(Buffer.alloc(10));
      await until('its room is taken', async () => (await usage(office)).reserved_bytes === 5 * MiB);
      sent.end('\r\n--x--\r\n');
      const [response] = await answered;
      assert.equal(response.statusCode, 201);
      response.resume();
      assert.deepEqual((await usage(office)).used_bytes, 10);
    });
  });
});
