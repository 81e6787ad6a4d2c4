import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { kinds, receivedKinds } from '../../../shared/received/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { download } from '../../support/pdf-documents.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';
import { addTo, attemptWith, byQpdf, formOf, paper } from '../../support/received-files.ts';
import { storedFiles } from '../../support/stored.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const text = (name: string, content = 'a,b\n1,2\n') => ({ name, bytes: Buffer.from(content) });

/** Registers an invoice with files. */
async function withFiles(buyer: Buyer, files: Parameters<typeof attemptWith>[2], data = {}): Promise<Shown> {
  const reply = await attemptWith(buyer, 'invoice', files, data);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.received_invoice;
}

describe('a form with files and JSON', () => {
  for (const kind of receivedKinds) {
    test(`registers a ${kinds[kind].title.en} with its files, which are handed out as they came`, async () => {
      const buyer = await newBuyer(app);
      const sent = [paper('one'), text('明細.csv')];
      const reply = await attemptWith(buyer, kind, sent, { number: '118' });
      assert.equal(reply.status, 201, reply.text);
      const made = reply.body[kinds[kind].name];
      assert.deepEqual([made.number, made.received_via], ['118', 'upload']);
      assert.ok(!made.warnings.some(({ path }: Shown) => path.startsWith('/files')));
      assert.deepEqual(
        made.files.map(({ id, uploaded_at, ...file }: Shown) => file),
        sent.map(({ name, bytes }, place) => ({
          file_name: name,
          content_type: place === 0 ? 'application/pdf' : 'text/csv',
          size_bytes: bytes.length,
          sha256: sha256(bytes),
          uploaded_by: buyer.actor.user_id,
          superseded_by: null,
        })),
      );
      assert.deepEqual((await buyer.read(kind, made.id)).files, made.files);
      for (const [place, { id }] of made.files.entries()) {
        const path = `/${kinds[kind].path}/${made.id}/files/${id}/content`;
        const got = await download(app, buyer, path);
        assert.deepEqual(got.bytes, sent[place]!.bytes);
        assert.equal(got.headers.get('etag'), `"sha256:${sha256(sent[place]!.bytes)}"`);
        const part = await download(app, buyer, path, { Range: 'bytes=2-4' });
        assert.deepEqual([part.status, part.bytes], [206, sent[place]!.bytes.subarray(2, 5)]);
      }
    });
  }

  test('takes what its content or name says, and stores nothing of anything else', async () => {
    const buyer = await newBuyer(app);
    const before = storedFiles(app);
    const html = Buffer.from('<!doctype html><html><body>Invoice</body></html>');
    const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
    const refused = [
      { name: 'invoice.pdf', bytes: html },
      { name: 'invoice.pdf', bytes: program },
      { name: 'invoice.csv', bytes: html },
      text('readme.txt'),
      text('invoice.pdf'),
      text('script.csv', '#!/bin/sh\n'),
    ];
    for (const file of refused) {
      const reply = await attemptWith(buyer, 'invoice', [paper('fine'), file]);
      assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media_type'], file.name);
      assert.match(reply.body.detail, /\.csv.*\.eml/, file.name);
    }
    const empty = await attemptWith(buyer, 'invoice', [text('empty.csv', '')]);
    assert.deepEqual([empty.status, empty.body.errors[0].path], [422, '/file']);
    const eleven = Array.from({ length: 11 }, (_, n) => paper(`${n}`));
    assert.equal((await attemptWith(buyer, 'invoice', eleven)).status, 422);
    const wrong = await attemptWith(buyer, 'invoice', [paper('wrong')], { status: 'paid' });
    assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'unknown_field']);
    assert.deepEqual(storedFiles(app), before);
    const taken = await withFiles(buyer, [
      text('明細.CSV'),
      text('mail.eml', 'From: a@example.com\n\nHello'),
      text('invoice.xml', '<?xml version="1.0"?><Invoice/>'),
    ]);
    assert.deepEqual(
      taken.files.map(({ content_type }: Shown) => content_type),
      ['text/csv', 'message/rfc822', 'application/xml'],
    );
  });

  test('is one document for a key, with all of its files', async () => {
    const buyer = await newBuyer(app);
    const send = (texts: string[]) =>
      buyer.post('/received-invoices', formOf(texts.map(paper), { number: '7' }), {
        'Idempotency-Key': 'one',
      });
    const [first, again] = [await send(['a', 'b']), await send(['a', 'b'])];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.equal(again.body.received_invoice.id, first.body.received_invoice.id);
    const other = await send(['a', 'c']);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  test('is refused for a file that another document of the kind has, and warned of in other kinds', async () => {
    const buyer = await newBuyer(app);
    const made = await withFiles(buyer, [paper('same')]);
    const again = await attemptWith(buyer, 'invoice', [paper('other'), paper('same')]);
    assert.deepEqual(
      [again.status, again.body.code, again.body.existing_id],
      [409, 'duplicate_file', made.id],
    );
    const quotation = await attemptWith(buyer, 'quotation', [paper('same')]);
    assert.deepEqual(
      quotation.body.received_quotation.warnings.map(({ code, path }: Shown) => [code, path]),
      [['duplicate_file', '/files/0']],
    );
  });
});

describe('a file of the cloud', () => {
  test('is copied by the rules of files that are sent, once for a key', async () => {
    const buyer = await newBuyer(app);
    const office = await newOffice(app, { organization_id: buyer.organization_id });
    const { bytes } = paper('of the cloud');
    const stored = await office.file('請求書.pdf', bytes);
    const send = () =>
      buyer.post('/receive-quotations', { cloud_file_id: stored.id }, { 'Idempotency-Key': 'copy' });
    const reply = await send();
    assert.equal(reply.status, 201, reply.text);
    const [copied] = reply.body.received_quotation.files;
    assert.deepEqual([copied.file_name, copied.sha256], ['請求書.pdf', sha256(bytes)]);
    assert.equal((await send()).body.received_quotation.files[0].id, copied.id);
    await office.delete(`/cloud/files/${stored.id}`);
    const path = `/receive-quotations/${reply.body.received_quotation.id}/files/${copied.id}/content`;
    assert.deepEqual((await download(app, buyer, path)).bytes, bytes);
  });

  test('is 503 where the store has lost its bytes', async () => {
    const buyer = await newBuyer(app);
    const office = await newOffice(app, { organization_id: buyer.organization_id });
    const lost = await office.lost('請求書.pdf', paper('lost').bytes);
    const reply = await buyer.post('/received-invoices', { cloud_file_id: lost.id });
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '3600'], reply.text);
    assert.match(reply.body.detail, /missing from the store/);
  });

  test('is refused where it is none, is too large, is of another type, stands beside a file, or is not for the caller', async () => {
    const buyer = await newBuyer(app);
    const office = await newOffice(app, { organization_id: buyer.organization_id });
    const stored = await office.file('page.html', '<!doctype html><html></html>');
    const large = Buffer.concat([paper('large').bytes, Buffer.alloc(50 * 1024 ** 2)]);
    const too_large = await office.file('large.pdf', large);
    const before = storedFiles(app);
    const attempt = (cloud_file_id: string) => buyer.post('/received-invoices', { cloud_file_id });
    const unknown = await attempt('file_01kaj2n5w5fq8b4m0g3v7x9rtc');
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/cloud_file_id']);
    assert.equal((await attempt(stored.id)).status, 415);
    assert.equal((await attempt(too_large.id)).status, 413);
    const beside = await attemptWith(buyer, 'invoice', [paper('beside')], { cloud_file_id: stored.id });
    assert.deepEqual([beside.status, beside.body.errors[0].code], [422, 'conflict']);
    const { organization_id } = buyer;
    const other = await app.actor({ organization_id, scopes: ['received:write', 'received:read'] });
    const refused = await other.post('/received-invoices', { cloud_file_id: stored.id });
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'cloud:read']);
    assert.deepEqual(storedFiles(app), before);
  });
});

describe('a PDF that cannot be opened', () => {
  test('is kept as it came, with a warning', async () => {
    const buyer = await newBuyer(app);
    const { bytes } = paper('whole');
    const locked = byQpdf(bytes, '--encrypt', 'secret', 'owner', '256', '--');
    const readable = byQpdf(bytes, '--encrypt', '', 'owner', '256', '--');
    const cut = bytes.subarray(0, Math.floor(bytes.length / 2));
    const sent = [bytes, locked, readable, cut, Buffer.from('%PDF-1.7\n%%EOF\n')];
    const made = await withFiles(
      buyer,
      sent.map((each, place) => ({ name: `${place}.pdf`, bytes: each })),
    );
    const unreadable = made.warnings.filter(({ code }: Shown) => code === 'file_unreadable');
    assert.deepEqual(
      unreadable.map(({ path }: Shown) => path),
      ['/files/1', '/files/3', '/files/4'],
    );
    const path = `/received-invoices/${made.id}/files/${made.files[3].id}/content`;
    assert.deepEqual((await download(app, buyer, path)).bytes, cut);
  });
});

describe('files of a document', () => {
  test('are added, and replaced once each, until the decision; what was replaced stays', async () => {
    const buyer = await newBuyer(app);
    const made = await withFiles(buyer, [paper('first')]);
    const add = (name: string, fields = {}) => addTo(buyer, 'invoice', made.id, [paper(name)], fields);
    const second = await add('second', { supersedes: made.files[0].id });
    assert.equal(second.status, 201, second.text);
    const [old, fresh] = second.body.received_invoice.files;
    assert.deepEqual([old.superseded_by, fresh.superseded_by], [fresh.id, null]);
    const again = await add('third', { supersedes: old.id });
    assert.deepEqual([again.status, again.body.code], [409, 'frozen']);
    const unknown = await add('third', { supersedes: 'rfile_01kaj2n5w5fq8b4m0g3v7x9rtc' });
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/supersedes']);
    assert.equal((await add('third')).body.received_invoice.files.length, 3);
    const path = `/received-invoices/${made.id}/files/${old.id}/content`;
    assert.deepEqual((await download(app, buyer, path)).bytes, paper('first').bytes);
    await app.database.withConnection(buyer.organization_id, ({ query }) =>
      query("UPDATE received_documents SET status = 'approved' WHERE organization_id = $1", [
        buyer.organization_id,
      ]),
    );
    const late = await add('fourth', { supersedes: fresh.id });
    assert.deepEqual([late.status, late.body.code], [409, 'frozen']);
    assert.equal((await add('fourth')).status, 201);
  });

  test('keep their document: it is not removed', async () => {
    const buyer = await newBuyer(app);
    const made = await withFiles(buyer, [paper('kept')]);
    const reply = await buyer.delete(`/received-invoices/${made.id}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'retention_active']);
    assert.equal(reply.body.retention_until, made.retention_until);
  });

  test('are those of their document, and of nobody else', async () => {
    const [buyer, other] = [await newBuyer(app), await newBuyer(app)];
    const [one, two] = [await withFiles(buyer, [paper('1')]), await withFiles(buyer, [paper('2')])];
    const status = async (who: Buyer, id: string, file_id: string) =>
      (await download(app, who, `/received-invoices/${id}/files/${file_id}/content`)).status;
    assert.equal(await status(buyer, one.id, one.files[0].id), 200);
    assert.equal(await status(buyer, one.id, two.files[0].id), 404);
    assert.equal(await status(other, one.id, one.files[0].id), 404);
  });
});
