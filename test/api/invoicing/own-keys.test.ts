import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentKinds, kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { exported, rowsOf, startExportWorkers } from '../../support/exports.ts';
import { toldBy } from '../../support/facts.ts';

const app = await startApp();
const workers = await startExportWorkers(app);
test.after(() => workers.stop());

const own = { external_id: 'K-1', metadata: { erp_id: '4711', 'sync.at': '' } };
const NONE = { external_id: null, metadata: {} };

const keysOf = ({ external_id, metadata }: Record<string, unknown>) => ({ external_id, metadata });

const credit = (seller: Seller, id: string, body: Record<string, unknown> = {}) =>
  seller.post(`/invoices/${id}/credit-notes`, { reason: '返品', ...body });

describe('external_id and metadata of a document', () => {
  for (const kind of writtenKinds) {
    test(`a ${kinds[kind].title} takes them, changes them, shows them and is listed by them`, async () => {
      const seller = await newSeller(app);
      const path = `/${kinds[kind].path}`;
      const made = await seller.draft(kind, own);
      assert.deepEqual(keysOf(made), own);
      const other = await seller.draft(kind, { external_id: 'K-2' });
      await seller.draft(kind);
      const changed = await seller.patch(`${path}/${made.id}`, { metadata: { erp_id: null, b: '2' } });
      assert.deepEqual(keysOf(changed.body[kind]), {
        external_id: 'K-1',
        metadata: { b: '2', 'sync.at': '' },
      });
      assert.deepEqual(await seller.read(kind, made.id), changed.body[kind]);
      const found = await seller.get(`${path}?external_id=K-1,K-2,K-3`);
      assert.deepEqual(
        found.body.items.map(({ id }: { id: string }) => id),
        [other.id, made.id],
      );
      const again = await seller.patch(`${path}/${other.id}`, { external_id: 'K-1' });
      assert.deepEqual([again.status, again.body.existing_id], [409, made.id]);
      assert.equal(again.body.errors[0].path, '/external_id');
    });
  }

  test('a credit note takes and changes them, though it is issued; what is printed does not change', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.after('invoice', ['approve'], { external_id: 'K-0' });
    const { credit_note: note } = (await credit(seller, id, own)).body;
    assert.deepEqual(keysOf(note), own);
    const path = `/credit-notes/${note.id}`;
    const changed = await seller.patch(path, { external_id: 'K-2', internal_memo: '確認済み' });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.credit_note.external_id, changed.body.credit_note.internal_memo],
      ['K-2', '確認済み'],
    );
    assert.equal((await seller.patch(path, { subject: '別' })).status, 422);
    for (const list of ['/credit-notes', `/invoices/${id}/credit-notes`]) {
      const found = await seller.get(`${list}?external_id=K-2&number=${note.number}`);
      assert.deepEqual(
        found.body.items.map(({ id }: { id: string }) => id),
        [note.id],
      );
      assert.equal((await seller.get(`${list}?external_id=K-1`)).body.total, 0);
    }
    assert.equal((await seller.get('/credit-notes?status=issued')).body.total, 1);
  });

  test('kinds do not share them', async () => {
    const seller = await newSeller(app);
    for (const kind of writtenKinds) await seller.draft(kind, own);
    const { id } = await seller.after('invoice', ['approve']);
    assert.equal((await credit(seller, id, own)).status, 201);
  });

  test('a deleted draft frees its key', async () => {
    const seller = await newSeller(app);
    const { id } = await seller.draft('invoice', own);
    assert.equal((await seller.delete(`/invoices/${id}`)).status, 200);
    await seller.draft('invoice', own);
  });

  test('stay writable after issue, all else does not; null clears the key', async () => {
    const seller = await newSeller(app);
    const { id, pdf } = await seller.after('invoice', ['approve'], own);
    const frozen = await seller.patch(`/invoices/${id}`, { external_id: 'K-9', subject: '別' });
    assert.equal(frozen.body.code, 'frozen');
    assert.deepEqual(
      frozen.body.errors.map(({ path }: { path: string }) => path),
      ['/subject'],
    );
    const { body } = await seller.patch(`/invoices/${id}`, { external_id: null, metadata: { a: '1' } });
    assert.deepEqual(keysOf(body.invoice), { external_id: null, metadata: { ...own.metadata, a: '1' } });
    assert.deepEqual(body.invoice.pdf, pdf);
  });

  test('copies never inherit them, and take their own where they have a body', async () => {
    const seller = await newSeller(app);
    const quotation = await seller.after('quotation', ['send', 'accept'], own);
    const duplicate = await seller.act('quotation', quotation.id, 'duplicate');
    assert.deepEqual(keysOf(duplicate.body.quotation), NONE);
    const converted = await seller.act('quotation', quotation.id, 'convert');
    assert.deepEqual(keysOf(converted.body.invoice), NONE);
    const note = await seller.after('delivery_note', ['deliver'], own);
    const kept = await seller.act('delivery_note', note.id, 'convert', own);
    assert.deepEqual(keysOf(kept.body.invoice), own);
    await seller.act('invoice', kept.body.invoice.id, 'approve');
    const revised = await seller.act('invoice', kept.body.invoice.id, 'revise');
    assert.deepEqual(keysOf(revised.body.invoice), NONE);
    assert.deepEqual(keysOf((await credit(seller, kept.body.invoice.id)).body.credit_note), NONE);
  });

  test('a conversion to a key in use is refused, and the quotation can be converted after', async () => {
    const seller = await newSeller(app);
    const holder = await seller.draft('invoice', own);
    const { id } = await seller.after('quotation', ['send', 'accept']);
    const refused = await seller.act('quotation', id, 'convert', { external_id: 'K-1' });
    assert.deepEqual([refused.status, refused.body.existing_id], [409, holder.id]);
    assert.equal((await seller.act('quotation', id, 'convert', { external_id: 'K-2' })).status, 201);
  });

  test('a preview shows them and stores nothing; more than 50 entries are refused', async () => {
    const seller = await newSeller(app);
    const { company_id, issue_date, line_items } = await seller.draft('invoice', own);
    const lines = line_items.map(({ description }: { description: string }) => ({
      description,
      unit_price: '1',
    }));
    const body = { company_id, issue_date, line_items: lines };
    const shown = await seller.post('/invoices/preview', { ...body, ...own });
    assert.deepEqual(keysOf(shown.body.invoice), own);
    const metadata = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x']));
    const refused = await seller.post('/invoices', { ...body, metadata });
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/metadata']);
  });

  test('events and exports have them, search does not', async () => {
    const seller = await newSeller(app);
    const { events } = await toldBy(app, seller.organization_id, () => seller.draft('invoice', own));
    const event = events.find(({ type }) => type === 'invoice.created')!;
    assert.deepEqual(keysOf(event.data), own);
    const [row] = rowsOf((await exported(app, seller, '/invoices')).bytes);
    assert.equal(row!['external_id'], 'K-1');
    assert.deepEqual(JSON.parse(row!['metadata']!), own.metadata);
    for (const text of ['K-1', '4711']) {
      assert.equal((await seller.get(`/invoices?search=${text}`)).body.total, 0, text);
    }
  });

  test('of many that make one key at once, one document has it and the others name it', async () => {
    const seller = await newSeller(app);
    const { company_id, issue_date } = await seller.draft('quotation');
    const body = { company_id, issue_date, line_items: [{ description: '豆', unit_price: '1' }], ...own };
    for (const kind of ['quotation', 'invoice'] as const) {
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => seller.post(`/${kinds[kind].path}`, body)),
      );
      const made = replies.filter(({ status }) => status === 201);
      assert.equal(made.length, 1);
      const { id } = made[0]!.body[kind];
      for (const { status, body: told } of replies.filter((reply) => reply !== made[0])) {
        assert.deepEqual([status, told.code, told.existing_id], [409, 'already_exists', id]);
      }
    }
  });
});

describe('a number that is taken', () => {
  test('is refused with the document that has it: in a new one, a changed one, a converted one', async () => {
    const seller = await newSeller(app);
    const holder = await seller.draft('invoice', { number: 'X-1' });
    await seller.draft('quotation', { number: 'X-1' });
    const { company_id, issue_date } = holder;
    const line_items = [{ description: '豆', unit_price: '1' }];
    const made = await seller.post('/invoices', { company_id, issue_date, line_items, number: 'X-1' });
    const { id } = await seller.draft('invoice');
    const changed = await seller.patch(`/invoices/${id}`, { number: 'X-1' });
    const quotation = await seller.after('quotation', ['send', 'accept']);
    const converted = await seller.act('quotation', quotation.id, 'convert', { number: 'X-1' });
    for (const { status, body } of [made, changed, converted]) {
      assert.deepEqual([status, body.code, body.existing_id], [409, 'already_exists', holder.id]);
    }
  });

  test('that was counted to is refused with the document that has it', async () => {
    const seller = await newSeller(app);
    const counted = await seller.draft('quotation');
    const { company_id, issue_date } = counted;
    const line_items = [{ description: '豆', unit_price: '1' }];
    const refused = await seller.post('/quotations', {
      company_id,
      issue_date,
      line_items,
      number: counted.number,
    });
    assert.deepEqual([refused.status, refused.body.existing_id], [409, counted.id]);
  });
});

describe('a list', () => {
  test('finds documents by number', async () => {
    const seller = await newSeller(app);
    const made = await seller.draft('invoice', { number: 'A,1' });
    await seller.draft('invoice', { number: 'A' });
    const found = await seller.get('/invoices?number=A,1');
    assert.deepEqual(
      found.body.items.map(({ id }: { id: string }) => id),
      [made.id],
    );
  });

  test('takes several statuses', async () => {
    const seller = await newSeller(app);
    const draft = await seller.draft('invoice');
    const approved = await seller.after('invoice', ['approve']);
    const sent = await seller.after('invoice', ['approve', 'send']);
    const ids = async (query: string) =>
      (await seller.get(`/invoices?${query}`)).body.items.map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids('status=approved,sent'), [sent.id, approved.id]);
    assert.deepEqual(await ids('status=draft'), [draft.id]);
    const refused = await seller.get('/invoices?status=approved,open');
    assert.equal(refused.status, 422);
    const { bytes } = await exported(app, seller, '/invoices', { status: 'approved,sent' });
    assert.deepEqual(
      rowsOf(bytes).map(({ id }) => id),
      [sent.id, approved.id],
    );
  });

  test('finds what was changed since', async () => {
    const seller = await newSeller(app);
    const old = await seller.draft('invoice');
    const made = await seller.draft('invoice');
    const { body } = await seller.patch(`/invoices/${old.id}`, { subject: '4月分' });
    const since = body.invoice.updated_at;
    const found = await seller.get(`/invoices?updated_after=${since}`);
    assert.deepEqual(
      found.body.items.map(({ id }: { id: string }) => id),
      [old.id],
    );
    const before = await seller.get(`/invoices?updated_before=${since}`);
    assert.deepEqual(
      before.body.items.map(({ id }: { id: string }) => id),
      [made.id],
    );
  });

  test('of each kind takes external_id, number, updated_after and updated_before', async () => {
    const client = await app.actor();
    for (const kind of documentKinds) {
      const asked =
        'external_id=a,b&number=c&updated_after=2026-01-01T00:00:00Z&updated_before=2027-01-01T00:00:00Z';
      const reply = await client.get(`/${kinds[kind].path}?${asked}`);
      assert.deepEqual([reply.status, reply.body.total], [200, 0], reply.text);
    }
  });
});
