import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { schemaWith, seedForm } from '../../support/many-responses.ts';
import { openForm } from '../../support/open-forms.ts';
import { formWith } from '../../support/uploads.ts';

const HOUR = 60 * 60_000;
const MIB = 1024 * 1024;

let clock = Date.now();
const app = await startApp({ now: () => new Date(clock) });
const client = await app.actor();
const guest = app.anonymous;

const fields = [
  { id: 'any', type: 'file', label: 'すべて', max_files: 3 },
  { id: 'pdfs', type: 'file', label: 'PDF', accept: ['pdf'], max_mib: 1 },
  { id: 'texts', type: 'file', label: '文書', accept: ['txt'] },
  { id: 'tables', type: 'file', label: '表', accept: ['csv'] },
  { id: 'text', type: 'short_text', label: '件名' },
];
const { form_id, path } = await openForm(app.database, client.actor, fields);
const other = await openForm(app.database, client.actor, fields);

async function tokenOf(at = path): Promise<string> {
  const reply = await guest.post(`${at}/tokens`, {});
  assert.equal(reply.status, 201, reply.text);
  return reply.body.form_token;
}

type Upload = { field_id?: string; name?: string; form_token?: string; at?: string };

/** Uploads as a guest where a form token is given, else by key. */
function upload(content: string | Uint8Array, { field_id = 'any', at, form_token, ...more }: Upload = {}) {
  const body = formWith(content, { ...(form_token && { form_token }), field_id, ...more });
  return form_token
    ? guest.post(`${at ?? path}/uploads`, body)
    : client.post(`/forms/${form_id}/uploads`, body);
}

async function uploaded(...asked: Parameters<typeof upload>): Promise<string> {
  const reply = await upload(...asked);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.file.id;
}

const PDF = '%PDF-1.7\n1 0 obj\n';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SHIFT_JIS = Buffer.from('93fa967b8cea', 'hex');

describe('a file is what its bytes say', () => {
  const taken: [title: string, content: string | Uint8Array, asked: Upload, type: string][] = [
    ['a PDF, whatever its name', PDF, { field_id: 'pdfs', name: 'a.txt' }, 'application/pdf'],
    ['a text in UTF-8', '日本語', { field_id: 'texts', name: 'a.txt' }, 'text/plain'],
    ['a text in Shift_JIS', SHIFT_JIS, { field_id: 'texts', name: 'a.txt' }, 'text/plain'],
    ['a table, where no other text is taken', 'a,b', { field_id: 'tables', name: 'a.txt' }, 'text/csv'],
    ['a table by its name, where both are taken', 'a,b', { name: 'a.CSV' }, 'text/csv'],
    ['a text by its name, where both are taken', 'a,b', { name: 'a.txt' }, 'text/plain'],
    ['a picture', PNG, { name: 'a.png' }, 'image/png'],
  ];
  for (const [title, content, asked, type] of taken) {
    test(`201: ${title}`, async () => {
      const reply = await upload(content, asked);
      assert.equal(reply.status, 201, reply.text);
      const { object, field_id, content_type, size_bytes } = reply.body.file;
      assert.deepEqual(
        { object, field_id, content_type, size_bytes },
        {
          object: 'forms.file',
          field_id: asked.field_id ?? 'any',
          content_type: type,
          size_bytes: Buffer.from(content).length,
        },
      );
    });
  }

  const refused: [title: string, content: string | Uint8Array, asked: Upload][] = [
    ['a PNG that is named .pdf', PNG, { field_id: 'pdfs', name: 'a.pdf' }],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', { name: 'a.png' }],
    ['HTML that is named .txt', '<!doctype html><script>1</script>', { field_id: 'texts', name: 'a.txt' }],
    ['a program', Buffer.from(`MZ${'\0'.repeat(62)}`), { name: 'a.txt' }],
    ['a script', '#!/bin/sh\nrm -rf /', { name: 'a.txt' }],
    ['a text with NUL far behind', `${'a'.repeat(2 * MIB)}\0`, { field_id: 'texts', name: 'a.txt' }],
    ['a text that ends within a letter', Buffer.from('日本').subarray(0, 4), { field_id: 'texts' }],
    ['a text where tables alone are taken, as PDF', PDF, { field_id: 'tables', name: 'a.csv' }],
  ];
  for (const [title, content, asked] of refused) {
    test(`415: ${title}`, async () => {
      const form_token = await tokenOf();
      for (const reply of [await upload(content, asked), await upload(content, { ...asked, form_token })]) {
        assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media_type'], reply.text);
      }
    });
  }

  test('413: a byte more than the field takes', async () => {
    const form_token = await tokenOf();
    const whole = PDF.padEnd(MIB, ' ');
    await uploaded(whole, { field_id: 'pdfs', form_token });
    for (const asked of [{}, { form_token }]) {
      const reply = await upload(`${whole} `, { field_id: 'pdfs', ...asked });
      assert.deepEqual([reply.status, reply.body.code], [413, 'body_too_large']);
    }
  });
});

test('by key a field is found that only a version has which is older than a hundred others', async () => {
  const later = Array<string>(101).fill(schemaWith([{ id: 'text', type: 'short_text', label: '件名' }]));
  const form = await seedForm(app.database, client.actor, [schemaWith(fields), ...later]);
  const uploadFor = (field_id: string) =>
    client.post(`/forms/${form.form_id}/uploads`, formWith(PDF, { field_id }));
  const taken = await uploadFor('pdfs');
  assert.equal(taken.status, 201, taken.text);
  const refused = await uploadFor('text');
  assert.deepEqual([refused.status, refused.body.errors?.[0].code], [422, 'unknown_field']);
});

describe('an upload of a guest', () => {
  test('422: a field that takes no files, and a form token that is another form’s, altered or too old', async () => {
    const form_token = await tokenOf();
    const noFile = await upload(PDF, { field_id: 'text', form_token });
    assert.deepEqual(
      [noFile.status, noFile.body.errors?.[0].path, noFile.body.errors?.[0].code],
      [422, '/field_id', 'unknown_field'],
    );
    const foreign = await upload(PDF, { form_token: await tokenOf(other.path) });
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'form_token_invalid']);
    const altered = await upload(PDF, { form_token: `x${form_token}` });
    assert.deepEqual([altered.status, altered.body.code], [422, 'form_token_invalid']);
    clock += 25 * HOUR;
    const old = await upload(PDF, { form_token });
    assert.deepEqual([old.status, old.body.code], [422, 'form_token_expired']);
  });

  test('409: a form that takes no responses', async () => {
    const closed = await openForm(app.database, client.actor, fields);
    const form_token = await tokenOf(closed.path);
    const changed = await client.patch(`/forms/${closed.form_id}/settings`, {
      closes_at: '2020-01-01T00:00:00.000Z',
    });
    assert.equal(changed.status, 200, changed.text);
    const reply = await upload(PDF, { form_token, at: closed.path });
    assert.deepEqual([reply.status, reply.body.code], [409, 'form_closed']);
  });
});

describe('a file is claimed once, for its form, field and form token', () => {
  const unknown = (reply: { status: number; body: { errors?: { path: string; code: string }[] } }) => [
    reply.status,
    reply.body.errors?.map(({ path: at, code }) => `${at} ${code}`),
  ];

  test('of any number of responses that name it at once, one gets it', async () => {
    const id = await uploaded(PDF);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => client.post(`/forms/${form_id}/responses`, { data: { any: [id] } })),
    );
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    const [file] = made[0]!.body.response.files;
    assert.equal(file.id, id);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      assert.deepEqual(unknown(reply), [422, ['/data/any/0 unknown_file']]);
    }
    const content = await client.get(`/forms/${form_id}/responses/${made[0]!.body.response.id}/files/${id}`);
    assert.equal(content.text, PDF);
    assert.match(content.headers.get('content-disposition')!, /^attachment/);
    assert.equal(content.headers.get('x-content-type-options'), 'nosniff');
    assert.match(content.headers.get('content-security-policy')!, /sandbox/);
  });

  test('422 unknown_file: one of another form, field or form token, or of nobody', async () => {
    const form_token = await tokenOf();
    const submit = (data: object) => guest.post(`${path}/responses`, { form_token, data });
    const good = await uploaded(PDF, { form_token });
    const byKey = await uploaded(PDF);
    const elsewhere = await uploaded(PDF, { form_token: await tokenOf(other.path), at: other.path });
    const ofOther = await uploaded(PDF, { form_token: await tokenOf() });
    assert.deepEqual(unknown(await submit({ any: [good, byKey, elsewhere], pdfs: [good] })), [
      422,
      ['/data/any/1 unknown_file', '/data/any/2 unknown_file', '/data/pdfs/0 unknown_file'],
    ]);
    assert.deepEqual(unknown(await submit({ any: [ofOther, 'ffile_none'] })), [
      422,
      ['/data/any/0 unknown_file', '/data/any/1 unknown_file'],
    ]);
    assert.equal((await submit({ any: [good] })).status, 201);
    const keyed = await client.post(`/forms/${form_id}/responses`, { data: { any: [good] } });
    assert.deepEqual(unknown(keyed), [422, ['/data/any/0 unknown_file']], 'claimed already');
  });
});
