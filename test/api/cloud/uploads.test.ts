import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice, type Office } from '../../support/cloud.ts';
import { toldSoFar } from '../../support/facts.ts';
import { looseFiles } from '../../support/stored.ts';
import { sha256, tusOf } from '../../support/tus.ts';

const HOUR = 60 * 60_000;

const app = await startApp();

const usage = async (office: Office) => {
  const { used_bytes, reserved_bytes } = (await office.get('/cloud/usage')).body.usage;
  return [used_bytes, reserved_bytes];
};

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

describe('what is spoken', () => {
  test('is told to everybody', async () => {
    const { status, headers, text } = await app.anonymous.send('OPTIONS', '/cloud/uploads');
    assert.deepEqual([status, text], [204, '']);
    assert.equal(headers.get('tus-version'), '1.0.0');
    assert.equal(headers.get('tus-extension'), 'creation,creation-with-upload,expiration,termination');
    assert.equal(headers.get('tus-max-size'), String(5 * 1024 ** 3));
  });

  test('is required of every call of the protocol', async () => {
    const office = await newOffice(app);
    const id = await tusOf(office).begin(3);
    for (const [method, path] of [
      ['POST', '/cloud/uploads'],
      ['HEAD', `/cloud/uploads/${id}`],
      ['PATCH', `/cloud/uploads/${id}`],
      ['DELETE', `/cloud/uploads/${id}`],
    ] as const) {
      for (const version of [{}, { 'Tus-Resumable': '0.2.2' }] as Record<string, string>[]) {
        const reply = await office.send(method, path, undefined, version);
        assert.equal(reply.status, 412, method);
        assert.deepEqual(
          [reply.headers.get('tus-version'), reply.headers.get('tus-resumable')],
          ['1.0.0', '1.0.0'],
        );
        if (method !== 'HEAD') assert.equal(reply.body.code, 'tus_version');
      }
    }
    assert.equal((await tusOf(office).read(id)).status, 'receiving');
  });
});

describe('an upload', () => {
  test('comes in pieces, each to its offset, and becomes the file', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const folder = await office.folder('見積書');
    const content = '%PDF-1.4 resumed';
    const pairs = {
      filename: '見積書.pdf',
      folder_id: folder.id,
      sha256: sha256(content),
      filetype: 'text/plain',
    };
    const created = await tus.create(content.length, pairs);
    assert.deepEqual([created.status, created.text], [201, '']);
    assert.match(created.headers.get('location')!, /^\/api\/v1\/cloud\/uploads\/upl_\w+$/);
    const id = created.headers.get('location')!.split('/').at(-1)!;
    const expires = Date.parse(created.headers.get('upload-expires')!) - Date.now();
    assert.ok(expires > 23 * HOUR && expires <= 24 * HOUR + 1000);
    assert.deepEqual(await usage(office), [0, content.length]);

    const first = await tus.patch(id, 0, content.slice(0, 5));
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '5']);
    assert.equal(first.headers.get('cloud-file-id'), null);
    const head = await tus.head(id);
    assert.deepEqual(
      ['upload-offset', 'upload-length', 'tus-resumable', 'cache-control'].map((name) =>
        head.headers.get(name),
      ),
      ['5', '16', '1.0.0', 'no-store'],
    );
    assert.equal(head.headers.get('upload-metadata')?.split(',').length, 4);
    for (const at of [0, 4, 6, 16]) {
      const misplaced = await tus.patch(id, at, 'x');
      assert.deepEqual([...codeOf(misplaced), misplaced.body.offset], [409, 'offset_mismatch', 5]);
    }
    const shown = await tus.read(id);
    assert.deepEqual(
      [shown.status, shown.offset, shown.size_bytes, shown.result_file_id, shown.created_by],
      ['receiving', 5, 16, null, office.user_id],
    );

    const last = await tus.patch(id, 5, content.slice(5));
    assert.deepEqual([last.status, last.headers.get('upload-offset')], [204, '16']);
    const file_id = last.headers.get('cloud-file-id')!;
    const { file } = (await office.get(`/cloud/files/${file_id}`)).body;
    assert.deepEqual(
      [
        file.name,
        file.folder_id,
        file.size_bytes,
        file.sha256,
        file.content_type,
        file.declared_type,
        file.scan,
      ],
      ['見積書.pdf', folder.id, 16, sha256(content), 'application/pdf', 'text/plain', 'off'],
    );
    assert.equal((await office.get(`/cloud/files/${file_id}/content`)).text, content);
    assert.deepEqual(await usage(office), [16, 0]);
    const done = await tus.head(id);
    assert.deepEqual([done.headers.get('cloud-file-id'), done.headers.get('upload-offset')], [file_id, '16']);
    assert.equal((await tus.patch(id, 16, '')).headers.get('cloud-file-id'), file_id);
    assert.deepEqual(codeOf(await tus.patch(id, 0, 'x')), [409, 'offset_mismatch']);
    assert.deepEqual(await looseFiles(app), []);
  });

  test('may bring its bytes with its creation, all or some', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const all = await tus.create('abc', { filename: 'all.txt' });
    assert.deepEqual([all.status, all.headers.get('upload-offset')], [201, '3']);
    assert.ok(all.headers.get('cloud-file-id'));
    const some = await tus.create('abc', { filename: 'some.txt' }, { 'Upload-Length': '6' });
    assert.deepEqual([some.status, some.headers.get('upload-offset')], [201, '3']);
    const id = some.headers.get('location')!.split('/').at(-1)!;
    assert.equal((await tus.patch(id, 3, 'def')).status, 204);
    assert.deepEqual(await office.names(), ['all.txt', 'some.txt']);
    const beyond = await tus.create('abc', { filename: 'beyond.txt' }, { 'Upload-Length': '2' });
    assert.deepEqual(codeOf(beyond), [413, 'body_too_large']);
    assert.deepEqual(await usage(office), [9, 0]);
  });

  test('goes on, is asked for and ends by POST, where a proxy lets no other method pass', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const posted = (id: string, method: string | null, body?: string, headers: Record<string, string> = {}) =>
      office.send('POST', `/cloud/uploads/${id}`, body, {
        'Tus-Resumable': '1.0.0',
        'Content-Type': 'application/offset+octet-stream',
        ...(method !== null && { 'X-HTTP-Method-Override': method }),
        ...headers,
      });
    const id = await tus.begin(6);
    const first = await posted(id, 'PATCH', 'abc', { 'Upload-Offset': '0' });
    assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, '3'], first.text);
    const told = await posted(id, 'HEAD');
    assert.deepEqual(
      [told.status, told.text, told.headers.get('upload-offset'), told.headers.get('upload-length')],
      [200, '', '3', '6'],
    );
    for (const method of ['PUT', 'patch', '', null]) {
      const refused = await posted(id, method, 'def', { 'Upload-Offset': '3' });
      assert.deepEqual(codeOf(refused), [422, 'validation_failed'], String(method));
    }
    const last = await posted(id, 'PATCH', 'def', { 'Upload-Offset': '3' });
    const file_id = last.headers.get('cloud-file-id')!;
    assert.equal((await office.get(`/cloud/files/${file_id}/content`)).text, 'abcdef');

    const other = await tus.begin(6, { filename: 'b.bin' });
    assert.equal((await posted(other, 'DELETE')).status, 204);
    assert.equal((await tus.read(other)).status, 'aborted');
    const version = { 'Tus-Resumable': '0.2.2' };
    assert.equal((await posted(other, 'HEAD', undefined, version)).status, 412);
  });

  test('of no bytes is completed at once', async () => {
    const office = await newOffice(app);
    const { status, headers } = await tusOf(office).create(0, { filename: 'empty' });
    assert.equal(status, 201);
    const { file } = (await office.get(`/cloud/files/${headers.get('cloud-file-id')}`)).body;
    assert.deepEqual([file.size_bytes, file.sha256], [0, sha256('')]);
  });

  test('is refused by its headers', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const named = { filename: 'a' };
    for (const [length, status, code] of [
      ['', 422, 'validation_failed'],
      ['-1', 422, 'validation_failed'],
      ['1.5', 422, 'validation_failed'],
      [String(5 * 1024 ** 3 + 1), 413, 'body_too_large'],
    ] as const) {
      assert.deepEqual(codeOf(await tus.create(1, named, { 'Upload-Length': length })), [status, code]);
    }
    assert.deepEqual(codeOf(await tus.create(1, {})), [422, 'validation_failed']);
    const missing = 'fold_01kaj2n5w5fq8b4m0g3v7x9rtc';
    assert.deepEqual(codeOf(await tus.create(1, { ...named, folder_id: missing })), [
      422,
      'unknown_reference',
    ]);
    const file_id = missing.replace('fold', 'file');
    assert.deepEqual(codeOf(await tus.create(1, { file_id })), [422, 'unknown_reference']);
    const id = await tus.begin(3, named);
    const typed = await tus.patch(id, 0, 'abc', { 'Content-Type': 'text/plain' });
    assert.deepEqual(codeOf(typed), [415, 'unsupported_media_type']);
    assert.deepEqual(codeOf(await tus.patch(id, 0, 'abcd')), [413, 'body_too_large']);
    const lost = await tus.patch(id, 0, 'abc', { 'Upload-Offset': '' });
    assert.deepEqual(codeOf(lost), [422, 'validation_failed']);
    assert.equal((await tus.patch(id, 0, 'abc')).status, 204);
  });

  test('stands among those of its maker, and is listed and ended by owner and admins', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const [own, other] = [await tusOf(owner).begin(1), await tusOf(member).begin(1, { filename: 'b' })];
    const listed = async (office: Office, query = '') =>
      (await office.get(`/cloud/uploads${query}`)).body.items.map(({ id }: { id: string }) => id);
    assert.deepEqual((await listed(owner)).sort(), [own, other].sort());
    assert.deepEqual(await listed(member), [other]);
    assert.deepEqual(await listed(member, '?status=completed'), []);
    assert.deepEqual((await listed(owner, '?sort=name:desc&status=receiving'))[0], other);
    for (const reply of [
      await tusOf(owner).head(other),
      await tusOf(owner).patch(other, 0, 'x'),
      await tusOf(member).head(own),
      await tusOf(member).end(own),
      await member.get(`/cloud/uploads/${own}`),
      await owner.post(`/cloud/uploads/${other}/complete`, {}),
    ]) {
      assert.equal(reply.status, 404);
    }
    assert.equal((await owner.get(`/cloud/uploads/${other}`)).status, 200);
    assert.equal((await tusOf(owner).end(other)).status, 204);
    assert.equal((await tusOf(member).read(other)).status, 'aborted');
    for (const { status } of [await tusOf(member).head(other), await tusOf(member).end(other)]) {
      assert.equal(status, 410);
    }
    assert.deepEqual(await usage(owner), [0, 1]);
  });

  test('is told in the audit log, piece for piece in none', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const id = await tus.begin(3);
    for (const at of [0, 1, 2]) assert.equal((await tus.patch(id, at, 'x')).status, 204);
    const { audit } = await toldSoFar(app, office.organization_id);
    const entries = audit.filter(({ entity_id }) => entity_id === id);
    assert.deepEqual(
      entries.map(({ action, changes }) => [action, (changes as { status?: string[] }).status]),
      [
        ['create', [null, 'receiving']],
        ['update', ['receiving', 'completed']],
      ],
    );
    assert.deepEqual(audit.filter(({ entity_type }) => entity_type === 'file').length, 1);
  });
});

describe('the name of an upload', () => {
  test('that is taken is refused at its creation, or numbered, or gets a version', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const { id: file_id } = await office.file('a.txt', 'one');
    const refused = await tus.create(1, { filename: 'A.txt' });
    assert.deepEqual([...codeOf(refused), refused.body.existing_id], [409, 'already_exists', file_id]);
    await tus.create('two', { filename: 'a.txt', on_conflict: 'rename' });
    const version = await tus.create('three', { filename: 'a.txt', on_conflict: 'version' });
    assert.equal(version.headers.get('cloud-file-id'), file_id);
    assert.deepEqual(await office.names(), ['a (2).txt', 'a.txt']);
    const second = await tus.create('four', { file_id });
    assert.equal(second.headers.get('cloud-file-id'), file_id);
    const { file } = (await office.get(`/cloud/files/${file_id}`)).body;
    assert.deepEqual([file.name, file.version_number, file.sha256], ['a.txt', 3, sha256('four')]);
    assert.equal((await tus.create('four', { file_id })).headers.get('cloud-file-id'), file_id);
    assert.equal((await office.get(`/cloud/files/${file_id}`)).body.file.version_number, 3);
    assert.deepEqual(await usage(office), [3 + 3 + 5 + 4, 0]);
  });

  test('that is taken meanwhile is numbered', async () => {
    const office = await newOffice(app);
    const tus = tusOf(office);
    const id = await tus.begin(3, { filename: 'a.txt', on_conflict: 'fail' });
    await office.file('a.txt', 'other');
    assert.equal((await tus.patch(id, 0, 'abc')).status, 204);
    assert.deepEqual(await office.names(), ['a (2).txt', 'a.txt']);
  });
});
