import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type BookedSeller, newBookedSeller, sidesOf as partsOf } from '../../support/booked-seller.ts';
import { persistently } from '../../support/books.ts';

const app = await startApp();

const sidesOf = (entry: Parameters<typeof partsOf>[0]) =>
  partsOf(entry).map(([code, amount, category]) => `${code} ${category} ${amount}`);

const from = (seller: BookedSeller, type: string, id: string, more: Record<string, unknown> = {}) =>
  persistently(() => seller.post('/accounting/journals/from-document', { type, id, ...more }));

/** The two lines of every draft: 10,000 at 10 % and 1,000 at 8 %. */
const SOLD = ['1220 O 12080', '4110 S10 -10000', '2385 S10 -1000', '4120 S8R -1000', '2385 S8R -80'];

describe('the entry of a document', () => {
  test('is a draft or posted, as asked, and is found by its source', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await seller.after('invoice', ['approve']);
    const drafted = await from(seller, 'invoice', invoice.id);
    assert.equal(drafted.status, 201, drafted.text);
    const { journal } = drafted.body;
    assert.equal(drafted.headers.get('location'), `/api/v1/accounting/journals/${journal.id}`);
    assert.deepEqual(sidesOf(journal), SOLD);
    assert.equal(journal.status, 'draft');
    assert.equal(journal.date, '2026-04-01');
    assert.equal(journal.reference, invoice.number);
    assert.equal(journal.description, `請求書 ${invoice.number}`);
    assert.deepEqual(journal.source, { type: 'invoice', id: invoice.id });
    assert.ok(
      journal.lines.every(({ company_id }: { company_id: string }) => company_id === seller.company.id),
    );

    const posted = await from(seller, 'invoice', invoice.id, { post: true });
    assert.equal(posted.status, 201, posted.text);
    assert.equal(posted.body.journal.number, 1);
    const listed = await seller.entriesOf(invoice.id);
    assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set([journal.id, posted.body.journal.id]));

    const again = await from(seller, 'invoice', invoice.id);
    assert.equal(again.status, 409, again.text);
    assert.equal(again.body.code, 'has_journal');
    assert.equal(again.body.journal_id, posted.body.journal.id);
    const draft = await seller.post(`/accounting/journals/${journal.id}/post`);
    assert.equal(draft.status, 409, draft.text);
    assert.equal(draft.body.code, 'has_journal');
    assert.equal(draft.body.journal_id, posted.body.journal.id);
  });

  test('can be made anew once it is void', async () => {
    const seller = await newBookedSeller(app, 'off');
    const { id } = await seller.after('invoice', ['approve']);
    const posted = await from(seller, 'invoice', id, { post: true });
    const path = `/accounting/journals/${posted.body.journal.id}/void`;
    assert.equal((await seller.post(path, { reason: '誤り' })).status, 200);
    assert.equal((await from(seller, 'invoice', id, { post: true })).status, 201);
    assert.deepEqual(
      (await seller.entriesOf(id)).map(({ status }) => status),
      ['voided', 'posted', 'posted'],
    );
  });

  test('is shown and not kept by a preview', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await seller.after('invoice', ['approve']);
    const { status, body, text } = await from(seller, 'invoice', invoice.id, {
      preview: true,
      post: true,
    });
    assert.equal(status, 200, text);
    assert.equal(body.journal.id, null);
    assert.equal(body.journal.number, null);
    assert.deepEqual(sidesOf(body.journal), SOLD);
    assert.deepEqual(await seller.entriesOf(invoice.id), []);
  });

  test('of a payment and of a credit note', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await seller.after('invoice', ['approve']);
    const paid = await seller.post(`/invoices/${invoice.id}/payments`, {
      amount: 5_000,
      paid_on: '2026-05-31',
      fee_amount: 550,
      withheld_amount: 100,
    });
    const payment = await from(seller, 'payment', paid.body.payment.id, { post: true });
    assert.equal(payment.status, 201, payment.text);
    assert.deepEqual(sidesOf(payment.body.journal), [
      '1140 O 4350',
      '6310 P10 500',
      '1580 P10 50',
      '1590 O 100',
      '1220 O -5000',
    ]);
    assert.equal(payment.body.journal.date, '2026-05-31');
    const offset = await seller.post(`/invoices/${invoice.id}/payments`, {
      amount: 1_000,
      paid_on: '2026-06-01',
      method: 'offset',
    });
    const set_off = await from(seller, 'payment', offset.body.payment.id);
    assert.deepEqual(sidesOf(set_off.body.journal), ['2120 O 1000', '1220 O -1000']);
    const credited = await seller.post(`/invoices/${invoice.id}/credit-notes`, {
      reason: '返品',
      issue_date: '2026-06-02',
    });
    const note = await from(seller, 'credit_note', credited.body.credit_note.id, { post: true });
    assert.deepEqual(sidesOf(note.body.journal), [
      '4190 SR10 10000',
      '2385 SR10 1000',
      '4190 SR8R 1000',
      '2385 SR8R 80',
      '1220 O -12080',
    ]);
  });

  test('is refused where there is none, and where the books take none', async () => {
    const seller = await newBookedSeller(app, 'off');
    const draft = await seller.draft('invoice');
    const cancelled = await seller.after('invoice', ['approve', 'cancel']);
    const approved = await seller.after('invoice', ['approve']);
    const free = await seller.after('invoice', ['approve'], {
      line_items: [{ description: '見本', unit_price: '0' }],
    });
    const early = await seller.after('invoice', ['approve'], { transaction_date: '2024-12-31' });
    await seller.make('/accounting/period-locks', { from: '2026-06-01', to: '2026-06-30', level: 'hard' });
    const locked = await seller.after('invoice', ['approve'], { transaction_date: '2026-06-15' });
    const refusals: [id: string, status: number, code: string][] = [
      [draft.id, 409, 'invalid_transition'],
      [cancelled.id, 409, 'invalid_transition'],
      [free.id, 409, 'nothing_to_post'],
      [early.id, 422, 'no_fiscal_year'],
      [locked.id, 409, 'period_locked'],
      [seller.company.id, 422, 'unknown_reference'],
    ];
    for (const [id, status, code] of refusals) {
      for (const more of [{}, { post: true }, { preview: true }]) {
        const reply = await from(seller, 'invoice', id, more);
        assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);
      }
      assert.deepEqual(await seller.entriesOf(id), []);
    }
    for (const type of ['payment', 'credit_note']) {
      assert.equal((await from(seller, type, approved.id)).body.code, 'unknown_reference');
    }
    await seller.patch('/accounting/settings', {
      account_map: { sales: { reduced: null }, output_tax: null },
    });
    const lacking = await from(seller, 'invoice', approved.id);
    assert.deepEqual([lacking.status, lacking.body.code], [409, 'account_map_incomplete']);
    assert.deepEqual(lacking.body.places, ['/output_tax', '/sales/reduced']);
  });

  test('has no category at the rates before 2014', async () => {
    const seller = await newBookedSeller(app, 'off');
    for (let year = 2024; year >= 2013; year -= 1) {
      await seller.make('/accounting/fiscal-years', {
        start_date: `${year}-01-01`,
        end_date: `${year}-12-31`,
      });
    }
    const { id } = await seller.after('invoice', ['approve'], {
      transaction_date: '2013-04-01',
      line_items: [{ description: '豆', unit_price: '1000' }],
    });
    const reply = await from(seller, 'invoice', id);
    assert.deepEqual([reply.status, reply.body.code], [422, 'no_tax_category'], reply.text);
    assert.deepEqual(reply.body.missing, [{ tax_category: 'standard', tax_rate: 5 }]);
  });

  test('needs an approval before it is posted, where the settings ask for one', async () => {
    const seller = await newBookedSeller(app, 'off');
    await seller.patch('/accounting/settings', { approval: { required: true } });
    const { id } = await seller.after('invoice', ['approve']);
    const refused = await from(seller, 'invoice', id, { post: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'approval_required'], refused.text);
    assert.equal((await from(seller, 'invoice', id)).status, 201);
  });

  test('asks for the right to read invoices, too', async () => {
    const seller = await newBookedSeller(app, 'off');
    const { id } = await seller.after('invoice', ['approve']);
    const writer = await app.actor({ organization_id: seller.organization_id, scopes: ['accounting:write'] });
    const refused = await writer.post('/accounting/journals/from-document', { type: 'invoice', id });
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'invoicing:read'], refused.text);
  });

  test('is posted once by many at the same time', async () => {
    const seller = await newBookedSeller(app, 'off');
    const { id } = await seller.after('invoice', ['approve']);
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => from(seller, 'invoice', id, { post: true })),
    );
    const kept = (await seller.entriesOf(id)).map(({ id: entry }) => entry);
    assert.equal(kept.length, 1);
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array(11).fill(409)]);
    for (const { status, body } of replies) {
      if (status === 409) assert.deepEqual([body.code, body.journal_id], ['has_journal', kept[0]]);
    }
  });
});
