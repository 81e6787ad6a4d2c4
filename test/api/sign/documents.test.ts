import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { blankPdf, formOf, newSender, oneSigner } from '../../support/signing.ts';

const app = await startApp();

const PATH = '/sign/documents';

const storedUploads = async (organization_id: string): Promise<number> => {
  const rows = await app.database.withConnection(organization_id, ({ query }) =>
    query('SELECT 1 FROM files WHERE organization_id = $1', [organization_id]),
  );
  return rows.length;
};

test('a form makes a draft with its file, signers, fields and the defaults of the settings', async () => {
  const sender = await newSender(app);
  await sender.patch('/sign/settings', { default_auth: 'none', reminders: { max: 2 } });
  const pdf = blankPdf(3);
  const reply = await sender.upload(
    { title: '契約書', ...oneSigner, external_id: 'K-1', metadata: { a: '1' } },
    pdf,
  );
  assert.equal(reply.status, 201, reply.text);
  const { document } = reply.body;
  assert.equal(reply.headers.get('location'), `/api/v1${PATH}/${document.id}`);
  assert.deepEqual(document.file, {
    file_name: '契約書.pdf',
    size_bytes: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
    page_count: 3,
    has_signatures: false,
  });
  const [signer] = document.signers;
  assert.deepEqual(
    [signer.key, signer.role, signer.auth, signer.order_group, signer.status, signer.locale],
    ['s1', 'signer', 'none', 1, 'waiting', 'ja'],
  );
  assert.equal(document.fields[0].signer, signer.id);
  assert.deepEqual([document.status, document.visibility, document.reminders.max], ['draft', 'private', 2]);
  assert.deepEqual(document.available_actions, ['send', 'cancel', 'update', 'delete']);
  assert.deepEqual(document.trail, { length: 0, head: '0'.repeat(64) });
  assert.deepEqual((await sender.get(`${PATH}/${document.id}`)).body, reply.body);
  const taken = await sender.upload({ title: '別の契約書', external_id: 'K-1' });
  assert.deepEqual([taken.status, taken.body.existing_id], [409, document.id]);
});

test('JSON makes a draft without a file, which is put later and replaced', async () => {
  const sender = await newSender(app);
  const { document } = (await sender.post(PATH, { title: '覚書' })).body;
  assert.equal(document.file, null);
  for (const pages of [1, 2]) {
    const put = await sender.put(`${PATH}/${document.id}/file`, formOf(blankPdf(pages), null));
    assert.equal(put.status, 200, put.text);
    assert.equal(put.body.document.file.page_count, pages);
  }
  assert.equal(await storedUploads(sender.actor.organization_id), 1);
});

test('a repeated form with its key is answered from the first, and stores nothing', async () => {
  const sender = await newSender(app);
  const key = { 'Idempotency-Key': randomUUID() };
  const pdf = blankPdf(1);
  const send = () => sender.post(PATH, formOf(pdf, { title: '契約書', ...oneSigner }), key);
  const [first, again] = [await send(), await send()];
  assert.equal(again.status, 201, again.text);
  assert.equal(again.body.document.id, first.body.document.id);
  assert.equal(await storedUploads(sender.actor.organization_id), 1);
});

test('what a form does not take is told by its place, and nothing is kept', async () => {
  const sender = await newSender(app);
  const field = oneSigner.fields[0]!;
  const refused = async (fields: object, faults: string[]) => {
    const reply = await sender.post(PATH, { title: '契約書', signers: oneSigner.signers, ...fields });
    assert.deepEqual([reply.status, faultsIn(reply.body)], [422, faults], JSON.stringify(fields));
  };
  await refused({ fields: [{ ...field, x: 0.9, w: 0.2 }] }, ['/fields/0/w too_large']);
  await refused({ fields: [{ ...field, h: 0 }] }, ['/fields/0/h too_small']);
  await refused({ fields: [{ ...field, page: 0 }] }, ['/fields/0/page too_small']);
  await refused({ fields: [{ ...field, signer: 's2' }] }, ['/fields/0/signer unknown_reference']);
  await refused({ fields: [{ ...field, type: 'radio' }] }, ['/fields/0/options required']);
  await refused({ fields: [{ ...field, options: ['a', 'b'] }] }, ['/fields/0/options not_allowed']);
  await refused(
    {
      fields: [
        { ...field, key: 'a' },
        { ...field, key: 'a' },
      ],
    },
    ['/fields/1/key duplicate'],
  );
  await refused({ signers: [{ key: 'a' }, { key: 'a' }] }, ['/signers/1/key duplicate']);
  await refused({ fields: [{ ...field, type: 'date', value: '2026-12-01' }] }, [
    '/fields/0/value not_allowed',
  ]);
  await refused({ fields: [{ ...field, type: 'checkbox', value: 'yes' }] }, [
    '/fields/0/value invalid_value',
  ]);
  await refused({ fields: [{ ...field, type: 'number', value: 3, validation: { min: '4' } }] }, [
    '/fields/0/value too_small',
  ]);
  await refused({ viewers: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }, ['/viewers/0 unknown_reference']);
  await refused({ company_id: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc' }, ['/company_id unknown_reference']);

  const none = await sender.post(PATH, formOf(null, { title: '契約書' }));
  assert.deepEqual([none.status, faultsIn(none.body)], [422, ['/file required']]);
  const empty = await sender.upload({ title: '契約書' }, Buffer.alloc(0));
  assert.deepEqual([empty.status, faultsIn(empty.body)], [422, ['/file empty_file']]);
  const two = formOf(blankPdf(), { title: '契約書' });
  two.append('file', new Blob([new Uint8Array(blankPdf())]), 'b.pdf');
  assert.deepEqual(faultsIn((await sender.post(PATH, two)).body), ['/file repeated_field']);
  const source = { type: 'document', id: 'doc_01kaj2n5w5fq8b4m0g3v7x9rtc' };
  const both = await sender.upload({ title: '契約書', source });
  assert.deepEqual([both.status, faultsIn(both.body)], [422, ['/file conflict']]);
  const text = await sender.upload({ title: '契約書' }, Buffer.from('no PDF at all'));
  assert.equal(text.status, 415, text.text);
  const active = await sender.upload(
    { title: '契約書' },
    blankPdf(1, '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
  );
  assert.deepEqual([active.status, faultsIn(active.body)], [422, ['/file active_content']]);
  assert.equal(await storedUploads(sender.actor.organization_id), 0);
});

test('a change replaces signers and fields; known ones keep what is not sent', async () => {
  const sender = await newSender(app);
  const signers = [
    { key: 'ours', name: '佐藤 花子', email: 'hanako@example.jp', access_code: 'AB12-34' },
    { key: 'theirs', name: '田中 一郎', email: 'ichiro@example.jp' },
  ];
  const fields = signers.map(({ key }) => ({ ...oneSigner.fields[0]!, signer: key, key: `sign_${key}` }));
  const before = await sender.draft({ signers, fields });
  const [ours, theirs] = before.signers;
  assert.deepEqual([ours.has_access_code, theirs.has_access_code], [true, false]);

  const patched = await sender.patch(`${PATH}/${before.id}`, {
    signers: [{ key: 'third' }, { id: ours.id, order_group: 2 }],
    reminders: { every_days: 7 },
  });
  assert.equal(patched.status, 200, patched.text);
  const { document } = patched.body;
  const [third, kept] = document.signers;
  assert.equal(third.key, 'third');
  assert.deepEqual(kept, { ...ours, order_group: 2 });
  assert.deepEqual(
    document.fields.map(({ key }: { key: string }) => key),
    ['sign_ours'],
    'the field of the removed signer went',
  );
  assert.deepEqual(document.reminders, { ...before.reminders, every_days: 7 });

  const [field] = document.fields;
  const moved = await sender.patch(`${PATH}/${before.id}`, {
    fields: [
      { ...oneSigner.fields[0], signer: 'third', type: 'text', value: '東京' },
      { id: field.id, x: 0.5 },
    ],
  });
  assert.deepEqual(moved.body.document.fields[1], { ...field, x: 0.5 });
  assert.equal(moved.body.document.fields[0].value, '東京');
  const same = await sender.patch(`${PATH}/${before.id}`, { reminders: { every_days: 7 } });
  assert.equal(same.headers.get('etag'), moved.headers.get('etag'), 'what changes nothing moves nothing');
  const unknown = await sender.patch(`${PATH}/${before.id}`, { signers: [{ id: theirs.id }] });
  assert.deepEqual(faultsIn(unknown.body), ['/signers/0/id unknown_reference']);
  const stale = await sender.patch(`${PATH}/${before.id}`, { title: 'x' }, { 'If-Match': '"1.0"' });
  assert.equal(stale.status, 412);
});

test('the change history tells that codes and values changed, and never what they are', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft();
  const told = await toldBy(app, sender.actor.organization_id, async () => {
    const [signer] = draft.signers;
    const [field] = draft.fields;
    await sender.patch(`${PATH}/${draft.id}`, {
      signers: [{ id: signer.id, access_code: 'SECRET-1' }],
      fields: [{ id: field.id, value: { kind: 'typed', text: '佐藤花子' } }],
    });
  });
  const [entry] = told.audit;
  assert.deepEqual(Object.keys(entry!.changes).sort(), ['access_codes', 'signers', 'values']);
  assert.deepEqual(
    [entry!.changes['values'], entry!.changes['access_codes']],
    [
      [null, '***'],
      [null, '***'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(told), /SECRET|佐藤花子|scrypt/);
  assert.deepEqual(told.events, []);
});

test('another document is a template: its signers and fields without codes', async () => {
  const sender = await newSender(app);
  const template = await sender.draft({
    signers: [{ key: 'client', auth: 'access_code', access_code: 'AB12-34' }],
    fields: [
      { ...oneSigner.fields[0]!, signer: 'client' },
      { ...oneSigner.fields[0]!, signer: 'client', type: 'text', value: '既定値', y: 0.1 },
    ],
  });
  const reply = await sender.post(PATH, {
    title: '契約書（田中様）',
    source: { type: 'document', id: template.id },
    signers: [{ key: 'client', name: '田中 一郎', email: 'ichiro@example.jp' }],
  });
  assert.equal(reply.status, 201, reply.text);
  const { document } = reply.body;
  assert.deepEqual(document.file, template.file);
  const [signer] = document.signers;
  assert.deepEqual([signer.name, signer.auth, signer.has_access_code], ['田中 一郎', 'access_code', false]);
  assert.notEqual(signer.id, template.signers[0].id);
  assert.deepEqual(
    document.fields.map((field: { signer: string; value: unknown }) => [field.signer, field.value]),
    [
      [signer.id, null],
      [signer.id, '既定値'],
    ],
  );
  assert.equal((await sender.delete(`${PATH}/${template.id}`)).status, 200);
  assert.equal(await storedUploads(sender.actor.organization_id), 1, 'the file that both had stays');
  const gone = await sender.post(PATH, { title: 'x', source: { type: 'document', id: template.id } });
  assert.deepEqual(faultsIn(gone.body), ['/source/id unknown_reference']);
});

test('a draft is deleted with its file, and frees its external_id', async () => {
  const sender = await newSender(app);
  const draft = await sender.draft({ external_id: 'K-9' });
  const told = await toldBy(app, sender.actor.organization_id, async () => {
    assert.deepEqual((await sender.delete(`${PATH}/${draft.id}`)).body, { success: true });
  });
  assert.deepEqual(
    told.audit.map(({ action }) => action),
    ['delete'],
  );
  assert.equal((await sender.delete(`${PATH}/${draft.id}`)).status, 404);
  assert.equal(await storedUploads(sender.actor.organization_id), 0);
  await sender.draft({ external_id: 'K-9' });
});
