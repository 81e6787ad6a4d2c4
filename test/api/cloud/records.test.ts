import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { copyHooks } from '../../../workers/cloud/copy-record.ts';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { giveUpPdf, makePdf, PDF_BYTES } from '../../support/document-pdfs.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { pdfBytes, RECEIPT, sendEvidence } from '../../support/evidence.ts';
import { ended } from '../../support/exports.ts';
import { blankPdf, newSender } from '../../support/signing.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };
await startWorkers(environment, ['--queues', 'storage']);

/** An issued invoice whose PDF a worker has made. */
async function printed(seller: Seller) {
  const invoice = await seller.after('invoice', ['approve']);
  await makePdf(app, seller.organization_id, invoice.id);
  return invoice;
}

const copying = (type: string, id: string, more: object = {}) => ({ source: { type, id }, ...more });

describe('the PDF of a document', () => {
  test('is copied byte by byte under its name, linked to it, and counted', async () => {
    const seller = await newSeller(app);
    const invoice = await printed(seller);
    const folder = (await seller.post('/cloud/folders', { name: '請求書' })).body.folder;
    const { status, body, headers, text } = await seller.post('/cloud/files', {
      ...copying('invoice', invoice.id),
      folder_id: folder.id,
      external_id: 'PDF-1',
      metadata: { erp: '7' },
    });
    assert.equal(status, 201, text);
    const { file } = body;
    assert.equal(headers.get('location'), `/api/v1/cloud/files/${file.id}`);
    assert.match(file.name, /^請求書_.*株式会社山田商店\.pdf$/);
    assert.deepEqual(
      [file.folder_id, file.links, file.external_id, file.metadata, file.content_type, file.size_bytes],
      [
        folder.id,
        [{ type: 'invoice', id: invoice.id }],
        'PDF-1',
        { erp: '7' },
        'application/pdf',
        PDF_BYTES.length,
      ],
    );
    assert.equal(file.sha256, createHash('sha256').update(PDF_BYTES).digest('hex'));
    assert.equal((await seller.get(`/cloud/files/${file.id}/content`)).text, PDF_BYTES.toString());
    const linked = await seller.get(`/cloud/files?link_type=invoice&link_id=${invoice.id}`);
    assert.deepEqual([linked.body.total, linked.body.items[0].id], [1, file.id]);
    assert.equal((await seller.get('/cloud/usage')).body.usage.used_bytes, PDF_BYTES.length);
  });

  test('is the same answer for who sends the call again with its key', async () => {
    const seller = await newSeller(app);
    const body = copying('invoice', (await printed(seller)).id, { name: '控え.pdf' });
    const key = { 'Idempotency-Key': 'copy' };
    const [first, again] = [
      await seller.post('/cloud/files', body, key),
      await seller.post('/cloud/files', body, key),
    ];
    assert.deepEqual([first.status, again.status], [201, 201], first.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    assert.equal((await seller.get('/cloud/files')).body.total, 1);
    const others = await seller.post('/cloud/files', { ...body, name: 'x.pdf' }, key);
    assert.deepEqual([others.status, others.body.code], [422, 'idempotency_key_reused']);
  });

  test('is a job for who does not wait, which says what came of it', async () => {
    const seller = await newSeller(app);
    const body = copying('invoice', (await printed(seller)).id, { name: 'a.pdf' });
    const asked = await seller.post('/cloud/files', body, { Prefer: 'respond-async' });
    assert.deepEqual([asked.status, asked.body.job.kind], [202, 'cloud.files.copy_record'], asked.text);
    assert.equal(asked.headers.get('preference-applied'), 'respond-async');
    const job = await ended(seller, asked.body.job.id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    const { file_id } = job.result as { file_id: string };
    assert.equal((await seller.get(`/cloud/files/${file_id}`)).body.file.name, 'a.pdf');
    const member = await newOffice(app, { organization_id: seller.organization_id, role: 'member' });
    assert.equal((await member.get(`/jobs/${job.id}`)).status, 404);
  });

  test('that is not there yet is waited for, by the job once the call has answered', async () => {
    const impatient = await startApp({
      database: { database: app.database, url: app.database_url, drop: async () => undefined },
      environment: { DATA_DIR: environment.DATA_DIR },
      time_limits: { generating: 300 },
    });
    const seller = await newSeller(impatient);
    const invoice = await seller.after('invoice', ['approve']);
    const asked = await seller.post('/cloud/files', copying('invoice', invoice.id));
    assert.equal(asked.status, 202, asked.text);
    assert.equal(asked.headers.get('location'), `/api/v1/jobs/${asked.body.job.id}`);
    await makePdf(impatient, seller.organization_id, invoice.id);
    const job = await ended(seller, asked.body.job.id);
    assert.equal(job.status, 'succeeded', JSON.stringify(job));
    assert.equal((await seller.get('/cloud/files')).body.total, 1);
  });

  test('is copied in another file beside the one that has the name, where asked so', async () => {
    const seller = await newSeller(app);
    const body = copying('invoice', (await printed(seller)).id);
    const first = await seller.post('/cloud/files', body);
    const taken = await seller.post('/cloud/files', body);
    assert.deepEqual(
      [taken.status, taken.body.code, taken.body.existing_id],
      [409, 'already_exists', first.body.file.id],
    );
    const other = await seller.post('/cloud/files', { ...body, on_conflict: 'rename' });
    assert.equal(other.status, 201, other.text);
    assert.equal(other.body.file.name, first.body.file.name.replace('.pdf', ' (2).pdf'));
  });
});

test('the file of a document for signing is copied and linked to it', async () => {
  const sender = await newSender(app);
  const pdf = blankPdf(2);
  const draft = await sender.draft({}, pdf);
  const { status, body, text } = await sender.post('/cloud/files', copying('sign_document', draft.id));
  assert.equal(status, 201, text);
  assert.deepEqual(body.file.links, [{ type: 'sign_document', id: draft.id }]);
  assert.equal(body.file.sha256, createHash('sha256').update(pdf).digest('hex'));
});

test('the original of evidence and the PDF of a credit note are copied too', async () => {
  const seller = await newSeller(app);
  const bytes = pdfBytes(1);
  const { body } = await sendEvidence(app, seller, { bytes }, RECEIPT);
  const copied = await seller.post('/cloud/files', copying('accounting_document', body.document.id));
  assert.equal(copied.status, 201, copied.text);
  assert.deepEqual(
    [copied.body.file.name, copied.body.file.links],
    ['領収書.pdf', [{ type: 'accounting_document', id: body.document.id }]],
  );
  assert.equal((await seller.get(`/cloud/files/${copied.body.file.id}/content`)).text, bytes.toString());
  const invoice = await seller.after('invoice', ['approve']);
  const credited = await seller.act('invoice', invoice.id, 'credit-notes');
  const { credit_note } = credited.body;
  assert.equal(credited.status, 201, credited.text);
  await makePdf(app, seller.organization_id, credit_note.id);
  const note = await seller.post('/cloud/files', copying('credit_note', credit_note.id));
  assert.deepEqual(
    [note.status, note.body.file.links],
    [201, [{ type: 'credit_note', id: credit_note.id }]],
    note.text,
  );
});

describe('a copy is refused', () => {
  test('for a record that is not there, is of another kind, or of another organization', async () => {
    const [seller, other] = [await newSeller(app), await newSeller(app)];
    const quotation = await seller.draft('quotation');
    for (const [type, id] of [
      ['invoice', 'inv_01kaj2n5w5fq8b4m0g3v7x9rtc'],
      ['invoice', quotation.id],
      ['invoice', (await printed(other)).id],
      ['accounting_document', 'adoc_01kaj2n5w5fq8b4m0g3v7x9rtc'],
    ] as const) {
      const { status, body } = await seller.post('/cloud/files', copying(type, id));
      assert.deepEqual(
        [status, body.code, body.errors[0].path],
        [422, 'unknown_reference', '/source/id'],
        id,
      );
    }
    const nothing = await seller.post('/cloud/files', copying('company', seller.company.id));
    assert.deepEqual([nothing.status, nothing.body.errors[0].path], [422, '/source/type']);
  });

  test('for who may not read the record, or not write into the folder', async () => {
    const seller = await newSeller(app);
    const { organization_id } = seller;
    const invoice = await printed(seller);
    const blind = await newOffice(app, { organization_id, role: 'member', scopes: ['cloud:write'] });
    const { status, body } = await blind.post('/cloud/files', copying('invoice', invoice.id));
    assert.deepEqual([status, body.code, body.required_scope], [403, 'insufficient_scope', 'invoicing:read']);
    const folder = (await seller.post('/cloud/folders', { name: '役員' })).body.folder;
    await seller.put(`/cloud/folders/${folder.id}/access`, {
      mode: 'restricted',
      grants: [{ type: 'role', id: 'member', role: 'viewer' }],
    });
    const member = await newOffice(app, { organization_id, role: 'member' });
    const into = copying('invoice', invoice.id, { folder_id: folder.id });
    const refused = await member.post('/cloud/files', into);
    assert.deepEqual([refused.status, refused.body.code], [403, 'folder_permission']);
    const manager = await newOffice(app, { organization_id, role: 'manager' });
    const unseen = await manager.post('/cloud/files', into);
    assert.deepEqual([unseen.status, unseen.body.errors[0].path], [422, '/folder_id']);
  });

  test('where there is no room, also by the time of the job', async () => {
    const seller = await newSeller(app);
    const invoice = await printed(seller);
    await seller.patch('/cloud/settings', { quota_bytes: 10 });
    const full = await seller.post('/cloud/files', copying('invoice', invoice.id));
    assert.deepEqual([full.status, full.body.code, full.body.free_bytes], [413, 'quota_exceeded', 10]);
    await seller.patch('/cloud/settings', { quota_bytes: null });
    const member = await newOffice(app, { organization_id: seller.organization_id, role: 'member' });
    const unprinted = await seller.after('invoice', ['approve']);
    const asked = await member.post('/cloud/files', copying('invoice', unprinted.id), {
      Prefer: 'respond-async',
    });
    assert.equal(asked.status, 202, asked.text);
    await seller.patch('/cloud/settings', { quota_bytes: 10 });
    await makePdf(app, seller.organization_id, unprinted.id);
    const job = await ended(member, asked.body.job.id);
    assert.deepEqual([job.status, job.error?.code], ['failed', 'quota_exceeded'], JSON.stringify(job));
    assert.equal((await seller.get('/cloud/files')).body.total, 0);
  });

  test('where a file takes the name while the PDF is made, and names that file', async () => {
    const seller = await newSeller(app);
    const invoice = await seller.after('invoice', ['approve']);
    const body = copying('invoice', invoice.id, { name: '控え.pdf' });
    const key = { 'Idempotency-Key': 'taken' };
    const asked = await seller.post('/cloud/files', body, { ...key, Prefer: 'respond-async' });
    assert.equal(asked.status, 202, asked.text);
    const { id } = (await seller.post('/cloud/files', formWith('other', { name: '控え.pdf' }))).body.file;
    await makePdf(app, seller.organization_id, invoice.id);
    const job = await ended(seller, asked.body.job.id);
    assert.deepEqual(
      [job.status, job.error?.code, job.result],
      ['failed', 'already_exists', { existing_id: id }],
    );
    const { status, body: refused } = await seller.post('/cloud/files', body, key);
    assert.deepEqual(
      [status, refused.code, refused.existing_id, refused.job_id],
      [409, 'already_exists', id, job.id],
    );
  });

  test('where the PDF cannot be made, and asks for it again when an operator tries it again', async () => {
    const seller = await newSeller(app);
    const { organization_id } = seller;
    const invoice = await seller.after('invoice', ['approve']);
    const asked = await seller.post('/cloud/files', copying('invoice', invoice.id), {
      Prefer: 'respond-async',
    });
    const { id } = asked.body.job;
    const content_key = async () => {
      const [row] = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ content_key: string | null }>(
          `SELECT request ->> 'content_key' AS content_key FROM cloud_copies WHERE id = $1`,
          [id],
        ),
      );
      return row!.content_key;
    };
    await until('the PDF is asked for', content_key);
    await giveUpPdf(app, organization_id, invoice.id);
    const job = await ended(seller, id);
    assert.deepEqual([job.status, job.error?.code], ['failed', 'unavailable']);
    await app.database.withConnection(organization_id, (connection) =>
      inWork(
        {
          connection,
          organization_id,
          actor: systemActor,
          now: new Date(),
          request_id: null,
          ip_address: null,
        },
        (work) => copyHooks.retried!({ job_id: id }, work),
        { may_change_nothing: true },
      ),
    );
    assert.equal(await content_key(), null);
  });
});
