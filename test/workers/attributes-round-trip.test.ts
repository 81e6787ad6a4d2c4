import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { ended, exported, rowsOf } from '../support/exports.ts';
import { startWorkers } from '../support/workers.ts';

/** More attributes than an export has columns for: they stand in one column as JSON, and come back from it. */
const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'report-export,csv-import',
]);

type Owner = Awaited<ReturnType<TestApp['actor']>>;

const PATH = '/mail/contacts';
const CONTACTS = 6;
const EACH = 50;

const UGLY = [
  '=1+1',
  "'=1",
  '-5',
  '＋81',
  'カンマ, と "引用"',
  '二行\n目',
  '表\\ソ',
  '髙﨑①㈱ｶﾅ',
  ' 空白 ',
  '{"a": 1}',
];

/** Fifty attributes of a contact, with names that no other contact has. */
function fifty(contact: number): Record<string, string> {
  const names = Array.from({ length: EACH }, (_, n) => `属性${contact}_${n}`);
  return Object.fromEntries(names.map((name, n) => [name, UGLY[n % UGLY.length]!]));
}

async function makeContact(owner: Owner, contact: Record<string, unknown>): Promise<void> {
  const reply = await owner.post(PATH, contact);
  assert.equal(reply.status, 201, reply.text);
}

async function organizationWith300(): Promise<Owner> {
  const owner = await app.actor();
  for (let contact = 0; contact < CONTACTS; contact += 1) {
    await makeContact(owner, { email: `c${contact}@example.com`, attributes: fifty(contact) });
  }
  await makeContact(owner, {
    email: 'none@example.com',
    attributes: { 'ソ\n,': '', E: '長い'.repeat(4_000) },
  });
  await makeContact(owner, { email: 'bare@example.com' });
  return owner;
}

function formOf(bytes: Buffer, options: Record<string, unknown>): FormData {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'export.csv', { type: 'text/csv' }));
  form.set('options', JSON.stringify(options));
  return form;
}

async function imported(owner: Owner, bytes: Buffer, options: Record<string, unknown> = {}) {
  const asked = await owner.post(`${PATH}/import`, formOf(bytes, options));
  assert.equal(asked.status, 202, asked.text);
  const job = await ended(owner, asked.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  const { id } = asked.body.import;
  const counts = (await owner.get(`/mail/imports/${id}`)).body.import;
  const errors = (await owner.get(`/mail/imports/${id}/errors`)).body.items;
  return { counts, errors };
}

/** The attributes of every contact, by e-mail. */
async function attributesOf(owner: Owner): Promise<Record<string, Record<string, string>>> {
  const { items } = (await owner.get(`${PATH}?limit=100`)).body;
  return Object.fromEntries(
    items.map((item: { email: string; attributes: Record<string, string> }) => [item.email, item.attributes]),
  );
}

const owner = await organizationWith300();
const whole = await attributesOf(owner);
const { bytes: file } = await exported(app, owner, PATH);

describe('300 attributes', () => {
  for (const form of [{}, { encoding: 'shift_jis' }]) {
    test(`come back into another organization: ${JSON.stringify(form)}`, async () => {
      const { bytes } = await exported(app, owner, PATH, form);
      const other = await app.actor();
      const { counts, errors } = await imported(other, bytes);
      assert.deepEqual(errors, []);
      assert.equal(counts.created_count, CONTACTS + 2);
      assert.deepEqual(await attributesOf(other), whole);
    });
  }

  test('change nothing where they came from, whatever is kept besides', async () => {
    for (const keep_unmapped of [false, true]) {
      const { counts, errors } = await imported(owner, file, { keep_unmapped });
      assert.deepEqual(errors, []);
      assert.equal(counts.unchanged_count, CONTACTS + 2, JSON.stringify(counts));
    }
    assert.deepEqual(await attributesOf(owner), whole);
  });

  test('are mapped by the preview', async () => {
    const { status, body, text } = await owner.post(`${PATH}/import/preview`, formOf(file, {}));
    assert.equal(status, 200, text);
    assert.equal(body.preview.mapping.attributes, 'attributes', text);
  });

  test('are merged by the rule for conflicts', async () => {
    const name = '属性0_0';
    for (const [on_conflict, outcome, wanted] of [
      ['update', 'updated', { [name]: '=1+1', blank: 'その他', more: 'x' }],
      ['fill_blank', 'updated', { [name]: '前', blank: 'その他', more: 'x' }],
      ['skip', 'skipped', { [name]: '前', blank: '' }],
    ] as const) {
      const other = await app.actor();
      await makeContact(other, { email: 'c0@example.com', attributes: { [name]: '前', blank: '' } });
      const cell = JSON.stringify({ [name]: '=1+1', blank: 'その他', more: 'x' }).replaceAll('"', '""');
      const csv = Buffer.from(`email,attributes\nc0@example.com,"${cell}"\n`);
      const { counts, errors } = await imported(other, csv, { on_conflict });
      assert.deepEqual(errors, []);
      assert.equal(counts[`${outcome}_count`], 1, JSON.stringify(counts));
      assert.deepEqual((await attributesOf(other))['c0@example.com'], wanted, on_conflict);
    }
  });

  test('are not written by a dry run', async () => {
    const other = await app.actor();
    const { counts } = await imported(other, file, { dry_run: true });
    assert.equal(counts.created_count, CONTACTS + 2);
    assert.deepEqual(await attributesOf(other), {});
  });
});

test('a cell that is no JSON object of texts makes its row faulty, and says why', async () => {
  const other = await app.actor();
  const fifty_one = JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, ''])));
  const cells = ['{"a": "b"', '[]', '{"a": 1}', '{"a": null}', fifty_one, `{"a": "${'x'.repeat(10_001)}"}`];
  const lines = ['{"a": "b"}', ...cells].map(
    (cell, n) => `e${n}@example.com,"${cell.replaceAll('"', '""')}"`,
  );
  const { counts, errors } = await imported(other, Buffer.from(`email,attributes\n${lines.join('\n')}\n`), {
    mapping: { email: 'email', attributes: 'attributes' },
  });
  assert.deepEqual(
    errors.map(({ row, code, column }: Record<string, unknown>) => [row, code, column]),
    [
      [3, 'invalid_json'],
      [4, 'invalid_object'],
      [5, 'invalid_object'],
      [6, 'invalid_object'],
      [7, 'too_many'],
      [8, 'too_long'],
    ].map(([row, code]) => [row, code, 'attributes']),
  );
  assert.equal(counts.error_count, cells.length);
  assert.deepEqual(await attributesOf(other), { 'e0@example.com': { a: 'b' } });
});

test('attributes that are called like fields keep their names, in a file of some columns', async () => {
  const own = await app.actor();
  const attributes = { 担当者: '佐藤', attributes: '{"x": "y"}', 'attributes.x': 'z', Attributes: 'w' };
  await makeContact(own, { email: 'a@example.com', attributes });
  const { bytes } = await exported(app, own, PATH, { columns: ['email', 'attributes'] });
  assert.deepEqual(Object.keys(rowsOf(bytes)[0]!), [
    'email',
    'attributes.Attributes',
    'attributes.attributes',
    'attributes.attributes.x',
    'attributes.担当者',
  ]);
  const other = await app.actor();
  await imported(other, bytes, { keep_unmapped: true });
  assert.deepEqual(await attributesOf(other), { 'a@example.com': attributes });
});

test('a column called attributes that holds no JSON stays an attribute', async () => {
  const other = await app.actor();
  const csv = Buffer.from('email,attributes\na@example.com,法人\n');
  const { errors } = await imported(other, csv, { keep_unmapped: true });
  assert.deepEqual(errors, []);
  assert.deepEqual(await attributesOf(other), { 'a@example.com': { attributes: '法人' } });
});
