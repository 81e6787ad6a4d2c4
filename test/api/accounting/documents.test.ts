import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Books, linesOf, newBooks, persistently, type Side } from '../../support/books.ts';
import { pdfBytes, RECEIPT, sendEvidence } from '../../support/evidence.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A document of its own. */
async function document(books: Books, fields: object = {}, number = Math.random()): Promise<Shown> {
  const reply = await sendEvidence(app, books, { bytes: pdfBytes(number) }, { ...RECEIPT, ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.document;
}

async function bytesOf(books: Books, path: string) {
  const reply = await fetch(`${app.base_url}/api/v1/accounting/documents/${path}`, {
    headers: { Authorization: `Bearer ${books.actor.secret}` },
  });
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()), headers: reply.headers };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a document', () => {
  test('is kept byte by byte with its hash, and for ten years', async () => {
    const books = await newBooks(app);
    const bytes = pdfBytes(1);
    const made = await document(books, { registration_number: 'T7000012050002', qualified: true }, 1);
    assert.deepEqual(made.file, {
      version: 1,
      file_name: '領収書.pdf',
      content_type: 'application/pdf',
      size_bytes: bytes.length,
      sha256: sha256(bytes),
    });
    assert.deepEqual([made.direction, made.received_via, made.status], ['received', 'upload', 'active']);
    assert.equal(made.retention_until, '2036-02-29');
    const { status, bytes: served } = await bytesOf(books, `${made.id}/file`);
    assert.equal(status, 200);
    assert.ok(served.equals(bytes));
    const early = await document(books, { transaction_date: '2019-05-05' });
    assert.equal(early.retention_until, '2031-05-05');
  });

  test('has versions, of which none is lost', async () => {
    const books = await newBooks(app);
    const { id } = await document(books, {}, 1);
    const added = await sendEvidence(
      app,
      books,
      { bytes: pdfBytes(2), name: '訂正.pdf' },
      {},
      `/accounting/documents/${id}/versions`,
    );
    assert.equal(added.status, 201, added.text);
    const { file, versions } = added.body.document;
    assert.deepEqual([file.version, file.file_name, versions.length], [2, '訂正.pdf', 2]);
    assert.ok((await bytesOf(books, `${id}/file`)).bytes.equals(pdfBytes(2)));
    assert.ok((await bytesOf(books, `${id}/file?version=1`)).bytes.equals(pdfBytes(1)));
    assert.equal((await bytesOf(books, `${id}/file?version=3`)).status, 404);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        sendEvidence(app, books, { bytes: pdfBytes(10 + n) }, {}, `/accounting/documents/${id}/versions`),
      ),
    );
    assert.deepEqual(
      replies.map(({ body }) => body.document.file.version).toSorted((one, other) => one - other),
      [3, 4, 5, 6, 7],
    );
  });

  test('may come twice: the second says where the first is', async () => {
    const books = await newBooks(app);
    const first = await document(books, {}, 7);
    const second = await document(books, {}, 7);
    assert.deepEqual(first.warnings, []);
    assert.deepEqual(second.warnings, [
      { code: 'duplicate_file', message: `The same file is in ${first.id}`, document_id: first.id },
    ]);
  });

  test('is refused without a partner, empty, or of another kind than it says', async () => {
    const books = await newBooks(app);
    const refused = async (bytes: Buffer, fields: object = {}, name?: string) => {
      const { status, body } = await sendEvidence(
        app,
        books,
        { bytes, ...(name && { name }) },
        { ...RECEIPT, ...fields },
      );
      return [status, body.code, body.errors?.[0]?.path];
    };
    assert.deepEqual(await refused(Buffer.alloc(0)), [422, 'validation_failed', '/file']);
    const executable = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(62)]);
    assert.deepEqual((await refused(executable)).slice(0, 2), [415, 'unsupported_media_type']);
    assert.deepEqual((await refused(Buffer.from('text'), {}, 'a.txt')).slice(0, 2), [
      415,
      'unsupported_media_type',
    ]);
    const { partner_name, ...nobody } = RECEIPT;
    const without = await sendEvidence(app, books, { bytes: pdfBytes(1) }, nobody);
    assert.deepEqual([without.status, without.body.errors[0].path], [422, '/partner_name']);
    assert.deepEqual(await refused(pdfBytes(1), { company_id: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc' }), [
      422,
      'unknown_reference',
      '/company_id',
    ]);
    assert.deepEqual(await refused(pdfBytes(1), { registration_number: 'T123' }), [
      422,
      'validation_failed',
      '/registration_number',
    ]);
    const csv = await sendEvidence(
      app,
      books,
      { bytes: Buffer.from('a,b\n1,2\n'), name: '明細.csv' },
      RECEIPT,
    );
    assert.equal(csv.status, 201, csv.text);
    const { status } = await books.delete(`/accounting/documents/${csv.body.document.id}`);
    assert.equal(status, 405);
  });

  test('is found by date, amount and partner in any combination, also by the name of its company', async () => {
    const books = await newBooks(app);
    const company = (await books.post('/crm/companies', { name: '青葉精機株式会社' })).body.company;
    const first = await document(books, { note: '机の修理' });
    const second = await document(books, {
      transaction_date: '2025-06-30',
      amount: 500,
      company_id: company.id,
      document_type: 'invoice',
      registration_number: 'T7000012050002',
    });
    const found = async (query: string) => {
      const reply = await books.get(`/accounting/documents?${query}`);
      assert.equal(reply.status, 200, reply.text);
      return (reply.body.items ?? reply.body.data).map(({ id }: Shown) => id);
    };
    assert.deepEqual(await found('sort=transaction_date:asc'), [first.id, second.id]);
    assert.deepEqual(await found('date_from=2025-06-01&date_to=2025-06-30&amount_max=600'), [second.id]);
    assert.deepEqual(await found(`partner=${encodeURIComponent('ｱｵﾊﾞ')}`), []);
    assert.deepEqual(await found(`partner=${encodeURIComponent('青葉')}`), [second.id]);
    assert.deepEqual(await found(`search=${encodeURIComponent('修理')}`), [first.id]);
    assert.deepEqual(await found(`partner=${encodeURIComponent('修理')}`), []);
    assert.deepEqual(await found(`company_id=${company.id}&document_type=invoice`), [second.id]);
    assert.deepEqual(await found('registration_number=T7000012050002'), [second.id]);
    assert.deepEqual(await found('linked=true'), []);
    const refused = await books.delete(`/crm/companies/${company.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
    const survivor = (await books.post('/crm/companies', { name: '青葉精機（新）' })).body.company;
    await books.post(`/crm/companies/${survivor.id}/merge`, { loser_id: company.id });
    assert.deepEqual(await found(`company_id=${company.id}`), [second.id]);
  });

  test('is changed, discarded and frozen; what was there before stays in the change history', async () => {
    const books = await newBooks(app);
    const { id } = await document(books);
    const changed = await books.patch(`/accounting/documents/${id}`, {
      amount: 12_000,
      metadata: { scan: '7' },
    });
    assert.deepEqual([changed.body.document.amount, changed.body.document.metadata], [12_000, { scan: '7' }]);
    const discarded = await books.post(`/accounting/documents/${id}/discard`, { reason: '誤り' });
    assert.deepEqual(discarded.body.document.status, 'discarded');
    const list = async (query: string) =>
      ((await books.get(`/accounting/documents${query}`)).body.items as Shown[]).length;
    assert.deepEqual([await list(''), await list('?include_discarded=true')], [0, 1]);
    for (const reply of [
      await books.patch(`/accounting/documents/${id}`, { amount: 1 }),
      await books.post(`/accounting/documents/${id}/discard`, { reason: '誤り' }),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [409, 'frozen']);
    }
    const logs = (await books.get('/accounting/audit-logs?entity_type=document')).body;
    const [, amount] = (logs.items ?? logs.data).map(({ changes }: Shown) => changes);
    assert.deepEqual(amount.amount, [11_000, 12_000]);
  });
});

describe('a link', () => {
  test('joins a document and an entry of any status once, and both show it', async () => {
    const books = await newBooks(app);
    const { id } = await document(books);
    const entry = await books.post_entry('2025-04-25', [
      ['6250', 11_000],
      ['1110', -11_000],
    ]);
    await books.make('period-locks', { to: '2025-12-31', level: 'hard' });
    const link = () =>
      persistently(() => books.post(`/accounting/documents/${id}/link`, { journal_id: entry.id }));
    const replies = await Promise.all(Array.from({ length: 20 }, link));
    for (const { status, body } of replies) {
      assert.equal(status, 200);
      assert.deepEqual(body.document.journal_ids, [entry.id]);
    }
    const { journal } = (await books.get(`/accounting/journals/${entry.id}`)).body;
    assert.deepEqual([journal.document_ids, journal.retention_until], [[id], '2036-02-29']);
    const listed = async (query: string) =>
      (await books.get(`/accounting/journals?${query}`)).body.items.length;
    assert.deepEqual([await listed('has_document=true'), await listed('has_document=false')], [1, 0]);
    const unknown = await books.post(`/accounting/documents/${id}/link`, {
      journal_id: 'je_01kaj2n5w5fq8b4m0g3v7x9rtc',
    });
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference']);
  });

  test('is made with the entry that names it', async () => {
    const books = await newBooks(app);
    const [first, second] = [await document(books), await document(books)];
    const sides: Side[] = [
      ['6250', 11_000],
      ['1110', -11_000],
    ];
    const document_ids = [second.id, first.id, first.id];
    const entry = await books.post_entry('2025-04-25', sides, { document_ids });
    assert.deepEqual(entry.document_ids, [first.id, second.id].toSorted());
    const read = async (id: string) => (await books.get(`/accounting/documents/${id}`)).body.document;
    assert.deepEqual((await read(first.id)).journal_ids, [entry.id]);
    const lines = linesOf(sides);
    const refused = async (ids: string[]) => {
      const reply = await books.post('/accounting/journals', {
        date: '2025-04-25',
        lines,
        document_ids: ids,
      });
      return [reply.status, reply.body.code, reply.body.errors?.[0]?.path];
    };
    const unknown = 'adoc_01kaj2n5w5fq8b4m0g3v7x9rtc';
    assert.deepEqual(await refused([first.id, unknown]), [422, 'unknown_reference', '/document_ids/1']);
    await books.post(`/accounting/documents/${second.id}/discard`, { reason: '誤り' });
    assert.deepEqual(await refused([second.id]), [409, 'frozen', undefined]);
  });

  test('of a draft is replaced with it, and goes with it; the documents tell so', async () => {
    const books = await newBooks(app);
    const [one, other] = [await document(books), await document(books)];
    const sides: Side[] = [
      ['6250', 5],
      ['1110', -5],
    ];
    const draft = await books.book('2025-04-25', sides, { document_ids: [one.id] });
    const renamed = await books.patch(`/accounting/journals/${draft.id}`, { description: '変更' });
    assert.deepEqual(renamed.body.journal.document_ids, [one.id]);
    const moved = await books.patch(`/accounting/journals/${draft.id}`, { document_ids: [other.id] });
    assert.deepEqual(moved.body.journal.document_ids, [other.id]);
    const shown = async (id: string) => (await books.get(`/accounting/documents/${id}`)).body.document;
    assert.deepEqual(
      [(await shown(one.id)).journal_ids, (await shown(other.id)).journal_ids],
      [[], [draft.id]],
    );
    assert.equal((await books.delete(`/accounting/journals/${draft.id}`)).status, 200);
    assert.deepEqual((await shown(other.id)).journal_ids, []);
    const { items } = (await books.get(`/accounting/audit-logs?entity_id=${other.id}`)).body;
    assert.deepEqual(items.map(({ changes }: Shown) => changes.journal_ids).slice(0, 2), [
      [[draft.id], []],
      [[], [draft.id]],
    ]);
    const posted = await books.post_entry('2025-04-25', sides);
    const refused = await books.patch(`/accounting/journals/${posted.id}`, { document_ids: [one.id] });
    assert.deepEqual([refused.status, refused.body.code], [409, 'frozen']);
  });

  test('stays where the year of its entry is closed', async () => {
    const books = await newBooks(app);
    const { id } = await document(books);
    const entry = await books.post_entry('2025-04-25', [
      ['6250', 11_000],
      ['1110', -11_000],
    ]);
    const path = `/accounting/documents/${id}/links/${entry.id}`;
    await books.post(`/accounting/documents/${id}/link`, { journal_id: entry.id });
    assert.equal((await books.delete(path)).status, 200);
    assert.equal((await books.delete(path)).status, 404);
    await books.post(`/accounting/documents/${id}/link`, { journal_id: entry.id });
    const closed = await books.post(`/accounting/fiscal-years/${books.year.id}/close`);
    assert.equal(closed.status, 200, closed.text);
    const refused = await books.delete(path);
    assert.deepEqual([refused.status, refused.body.code], [409, 'fiscal_year_closed']);
  });

  test('is for who may write accounting or received documents', async () => {
    const books = await newBooks(app);
    const { organization_id } = books;
    const received = await app.actor({ organization_id, scopes: ['received:write'] });
    const sent = await sendEvidence(app, received, { bytes: pdfBytes(3) }, RECEIPT);
    assert.equal(sent.status, 201, sent.text);
    const crm = await app.actor({ organization_id, scopes: ['crm:write'] });
    const refused = await sendEvidence(app, crm, { bytes: pdfBytes(3) }, RECEIPT);
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
  });
});
