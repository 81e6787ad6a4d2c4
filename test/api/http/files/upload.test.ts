import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { formWith, uploading } from '../../../support/uploads.ts';

const MiB = 1024 * 1024;
const app = await startApp({
  endpoints: [
    uploading(),
    uploading({ path: 'guests', scope: 'public' }),
    uploading({ path: 'looks', file: { keep: false } }),
    uploading({ path: 'large', file: { limit: 50 * MiB } }),
    uploading({ path: 'imports', file: { limit: 200 * MiB } }),
  ],
});
const client = await app.actor();
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

afterEach(async () => assert.deepEqual(await looseFiles(app), []));

describe('202', () => {
  test('the file is stored under a new key and handed over with its name, size, hash and first MiB', async () => {
    const bytes = randomBytes(3 * MiB);
    const reply = await client.post('/mail/files', formWith(bytes));
    assert.equal(reply.status, 202, reply.text);
    const { storage_key, ...taken } = reply.body.taken;
    assert.deepEqual(taken, {
      file_name: '顧客一覧.csv',
      media_type: 'text/csv',
      content_type: 'application/octet-stream',
      scan: 'off',
      finding: null,
      size: bytes.length,
      sha256: sha256(bytes),
      head_size: MiB,
    });
    assert.match(storage_key, new RegExp(`^${client.actor.organization_id}/uploads/inst_[0-9a-z]+/file_`));
    assert.deepEqual(await buffer(await app.context.storage.read(storage_key)), bytes);
  });

  test('fields are read as their schema takes them, text or JSON, one by one', async () => {
    const fields = { list_id: '12', dry_run: 'true', rows: '5', mapping: '{"メール":"email"}' };
    const reply = await client.post('/mail/files', formWith('a', fields));
    assert.deepEqual(reply.body.fields, {
      list_id: '12',
      dry_run: true,
      rows: 5,
      mapping: { メール: 'email' },
    });
  });

  test('or together as JSON; an empty field is not there', async () => {
    const options = '{"dry_run": false, "mapping": {"1": "email"}}';
    const reply = await client.post('/mail/files', formWith('a', { options, list_id: '' }));
    assert.deepEqual(reply.body.fields, { dry_run: false, mapping: { 1: 'email' } });
  });

  test('a name is told without folders and in one form, however it was sent', async () => {
    const sent = {
      'C:\\名簿\\顧客.csv': '顧客.csv',
      '../../etc/passwd': 'passwd',
      'か\u3099っこう.csv': 'がっこう.csv',
      '見積書\u202efdp.exe': '見積書fdp.exe',
    };
    for (const [name, told] of Object.entries(sent)) {
      const reply = await client.post('/mail/files', formWith('a', { name }));
      assert.equal(reply.body.taken.file_name, told);
    }
  });

  test('a file that is only looked at is not stored', async () => {
    const before = storedFiles(app);
    const { taken } = (await client.post('/mail/looks', formWith('a,b\n'))).body;
    assert.deepEqual([taken.storage_key, taken.sha256, taken.head_size], [null, sha256('a,b\n'), 4]);
    assert.deepEqual(storedFiles(app), before);
  });

  test("a guest's file is taken too", async () => {
    const reply = await app.anonymous.post('/mail/guests', formWith('a,b\n'));
    assert.equal(reply.status, 202, reply.text);
    assert.match(reply.body.taken.storage_key, /^org_none\/uploads\/inst_[0-9a-z]+\/file_/);
  });

  test('a file may have all of its limit, 50 MiB or 200 MiB', async () => {
    for (const [path, size] of [
      ['/mail/large', 50 * MiB],
      ['/mail/imports', 200 * MiB],
    ] as const) {
      const reply = await client.post(path, formWith(Buffer.alloc(size, 'a')));
      assert.deepEqual([reply.status, reply.body.taken.size], [202, size]);
    }
  });
});

describe('nothing is stored', () => {
  const refusals = [
    [
      '413 for a file above its limit',
      '/mail/large',
      () => formWith(Buffer.alloc(50 * MiB + 1)),
      413,
      'body_too_large',
    ],
    [
      '413 for a form far above it',
      '/mail/files',
      () => formWith(Buffer.alloc(30 * MiB)),
      413,
      'body_too_large',
    ],
    [
      '409 by a rule of the operation',
      '/mail/files',
      () => formWith('a', { name: 'refused.csv' }),
      409,
      'already_exists',
    ],
    [
      '422 for a name that is too long',
      '/mail/files',
      () => formWith('a', { name: `${'あ'.repeat(256)}.csv` }),
      422,
      'validation_failed',
    ],
  ] as const;
  for (const [what, path, form, status, code] of refusals) {
    test(what, async () => {
      const before = storedFiles(app);
      const reply = await client.post(path, form());
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);
      assert.deepEqual(storedFiles(app), before);
    });
  }

  test('422 with every fault of the form at its place', async () => {
    const before = storedFiles(app);
    const fields = {
      list_id: '12345678901',
      rows: 'many',
      mapping: '{"a":"phone"}',
      other: '1',
      options: '[1]',
    };
    const form = formWith('a', fields);
    form.append('rows', '5');
    const reply = await client.post('/mail/files', form);
    const faults = reply.body.errors.map(
      (fault: { path: string; code: string }) => `${fault.path} ${fault.code}`,
    );
    assert.deepEqual(faults.sort(), [
      '/list_id too_long',
      '/mapping/a invalid_value',
      '/options invalid_type',
      '/other unknown_field',
      '/rows invalid_type',
      '/rows repeated_field',
    ]);
    assert.deepEqual(storedFiles(app), before);
  });

  test('422 for text where the file should be', async () => {
    const form = new FormData();
    form.append('file', 'a,b');
    const reply = await client.post('/mail/files', form);
    assert.deepEqual(
      reply.body.errors.map((fault: { path: string; code: string }) => [fault.path, fault.code]),
      [['/file', 'invalid_type']],
    );
  });

  test('422 for a choice of files that was left empty in a browser', async () => {
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const disposition = 'Content-Disposition: form-data; name="file"; filename=""';
    const body = `--x\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n`;
    const reply = await client.post('/mail/files', body, type);
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.code], [422, 'required'], reply.text);
  });

  test('400 for a form that ends in its middle', async () => {
    const before = storedFiles(app);
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nabc';
    const reply = await client.post('/mail/files', body, type);
    assert.deepEqual([reply.status, reply.body.code], [400, 'malformed_form'], reply.text);
    assert.deepEqual(storedFiles(app), before);
  });
});

describe('an Idempotency-Key', () => {
  const key = () => ({ 'Idempotency-Key': randomBytes(8).toString('hex') });

  test('makes two of the same upload one', async () => {
    const headers = key();
    const first = await client.post('/mail/files', formWith('a,b\n', { list_id: '1' }), headers);
    const stored = storedFiles(app);
    const second = await client.post('/mail/files', formWith('a,b\n', { list_id: '1' }), headers);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(storedFiles(app), stored);
  });

  test('makes two of them at the same time one', async () => {
    const headers = key();
    const before = storedFiles(app).length;
    const send = () => client.post('/mail/files', formWith('at once'), headers);
    const replies = await Promise.all([send(), send(), send(), send()]);
    const statuses = replies.map(({ status }) => status).filter((status) => status !== 409);
    assert.ok(statuses.length > 0 && statuses.every((status) => status === 202));
    assert.equal(storedFiles(app).length, before + 1);
  });

  test('422 with another file, another name or other fields', async () => {
    const headers = key();
    assert.equal((await client.post('/mail/files', formWith('a'), headers)).status, 202);
    for (const form of [
      formWith('b'),
      formWith('a', { name: 'b.csv' }),
      formWith('a', { dry_run: 'true' }),
    ]) {
      const reply = await client.post('/mail/files', form, headers);
      assert.deepEqual([reply.status, reply.body.code], [422, 'idempotency_key_reused'], reply.text);
    }
  });

  test('keeps a refusal by a rule, and not its file', async () => {
    const headers = key();
    const before = storedFiles(app);
    const send = () => client.post('/mail/files', formWith('a', { name: 'refused.csv' }), headers);
    assert.equal((await send()).status, 409);
    const again = await send();
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [409, 'true']);
    assert.deepEqual(storedFiles(app), before);
  });

  test('400 for one that is none', async () => {
    const reply = await client.post('/mail/files', formWith('a'), { 'Idempotency-Key': 'two words' });
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_idempotency_key']);
  });
});
