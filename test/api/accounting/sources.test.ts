import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type BookedSeller, newBookedSeller, sidesOf } from '../../support/booked-seller.ts';
import { persistently } from '../../support/books.ts';

const app = await startApp();

/** An approved invoice of 11,000 and 1,080 yen in April 2026. */
const approved = (seller: BookedSeller, fields = {}) => seller.after('invoice', ['approve'], fields);

const INVOICE = [
  ['1220', 12_080, 'O'],
  ['4110', -10_000, 'S10'],
  ['2385', -1_000, 'S10'],
  ['4120', -1_000, 'S8R'],
  ['2385', -80, 'S8R'],
] as const;

describe('with auto_journal: post', () => {
  test('an approved invoice is in the books in the same commit, with its number and its company', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const [entry, ...others] = await seller.entriesOf(invoice.id);
    assert.deepEqual(others, []);
    assert.deepEqual(sidesOf(entry), INVOICE);
    assert.deepEqual(
      [entry.status, entry.number, entry.date, entry.reference, entry.description],
      ['posted', 1, '2026-04-01', invoice.number, `請求書 ${invoice.number}`],
    );
    assert.deepEqual(entry.source, { type: 'invoice', id: invoice.id });
    assert.ok(
      entry.lines.every(({ company_id }: { company_id: string }) => company_id === seller.company.id),
    );
  });

  test('what was withheld is an asset of its own', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller, {
      withholding_mode: 'net',
      line_items: [{ description: '原稿料', quantity: '1', unit_price: '100000', withholding: true }],
    });
    const [entry] = await seller.entriesOf(invoice.id);
    assert.deepEqual(sidesOf(entry), [
      ['1220', 99_790, 'O'],
      ['1590', 10_210, 'O'],
      ['4110', -100_000, 'S10'],
      ['2385', -10_000, 'S10'],
    ]);
  });

  test('a payment settles the receivable, its fee with tax and what was withheld beside it', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const pay = (body: object) => seller.post(`/invoices/${invoice.id}/payments`, body);
    const first = (await pay({ amount: 5_000, paid_on: '2026-05-10', fee_amount: 660 })).body.payment;
    const card = (await pay({ amount: 1_000, paid_on: '2026-05-11', method: 'card', fee_amount: 30 })).body
      .payment;
    const offset = (await pay({ amount: 2_000, paid_on: '2026-05-12', method: 'offset' })).body.payment;
    const withheld = (await pay({ amount: 500, paid_on: '2026-05-13', method: 'cash', withheld_amount: 51 }))
      .body.payment;
    const sides = async (id: string) => sidesOf((await seller.entriesOf(id))[0]);
    assert.deepEqual(await sides(first.id), [
      ['1140', 4_340, 'O'],
      ['6310', 600, 'P10'],
      ['1580', 60, 'P10'],
      ['1220', -5_000, 'O'],
    ]);
    assert.deepEqual(await sides(card.id), [
      ['1530', 970, 'O'],
      ['6310', 30, 'PE'],
      ['1220', -1_000, 'O'],
    ]);
    assert.deepEqual(await sides(offset.id), [
      ['2120', 2_000, 'O'],
      ['1220', -2_000, 'O'],
    ]);
    assert.deepEqual(await sides(withheld.id), [
      ['1110', 449, 'O'],
      ['1590', 51, 'O'],
      ['1220', -500, 'O'],
    ]);
  });

  test('a payment that is deleted is taken back, and so is a cancelled invoice', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const { payment } = (
      await seller.post(`/invoices/${invoice.id}/payments`, { amount: 5_000, paid_on: '2026-05-10' })
    ).body;
    const removed = await seller.delete(`/invoices/${invoice.id}/payments/${payment.id}`);
    assert.equal(removed.status, 200, removed.text);
    const [entry, mirror] = await seller.entriesOf(payment.id);
    assert.deepEqual(
      [entry.status, entry.reversed_by, entry.void_reason],
      ['voided', mirror.id, '入金の削除'],
    );
    assert.deepEqual([mirror.kind, mirror.status, mirror.reverses], ['reversal', 'posted', entry.id]);
    const cancelled = await seller.post(`/invoices/${invoice.id}/cancel`, {
      reason: '二重発行',
      posting_date: '2026-06-30',
    });
    assert.equal(cancelled.status, 200, cancelled.text);
    const [sale, back] = await seller.entriesOf(invoice.id);
    assert.deepEqual([sale.status, sale.void_reason, back.date], ['voided', '二重発行', '2026-06-30']);
    assert.deepEqual(
      sidesOf(back),
      INVOICE.map(([code, amount, category]) => [code, -amount, category]),
    );
  });

  test('a credit note takes sales and their tax back as returns', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const made = await seller.post(`/invoices/${invoice.id}/credit-notes`, {
      reason: '返品',
      issue_date: '2026-05-20',
    });
    assert.equal(made.status, 201, made.text);
    const [entry] = await seller.entriesOf(made.body.credit_note.id);
    assert.equal(entry.date, '2026-05-20');
    assert.deepEqual(sidesOf(entry), [
      ['4190', 10_000, 'SR10'],
      ['2385', 1_000, 'SR10'],
      ['4190', 1_000, 'SR8R'],
      ['2385', 80, 'SR8R'],
      ['1220', -12_080, 'O'],
    ]);
  });

  test('a revision books the new invoice and takes the old one back at the same moment', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const revision = (await seller.post(`/invoices/${invoice.id}/revise`)).body.invoice;
    await seller.patch(`/invoices/${revision.id}`, {
      line_items: [{ description: 'コーヒー豆', quantity: '5', unit_price: '1000' }],
    });
    const reply = await seller.post(`/invoices/${revision.id}/approve`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await seller.entriesOf(invoice.id))[0].status, 'voided');
    const [entry] = await seller.entriesOf(revision.id);
    assert.deepEqual(sidesOf(entry)[0], ['1220', 5_500, 'O']);
  });

  test('what the books refuse refuses the operation, and leaves nothing behind', async () => {
    const seller = await newBookedSeller(app, 'post');
    const draft = await seller.draft('invoice');
    const refused = async () => {
      const reply = await seller.post(`/invoices/${draft.id}/approve`);
      assert.equal((await seller.read('invoice', draft.id)).status, 'draft');
      assert.deepEqual(await seller.entriesOf(draft.id), []);
      return [reply.status, reply.body.code];
    };
    const lock = (
      await seller.post('/accounting/period-locks', { to: '2026-04-30', level: 'hard', scope: 'sales' })
    ).body.period_lock;
    assert.deepEqual(await refused(), [409, 'period_locked']);
    await seller.delete(`/accounting/period-locks/${lock.id}`);
    await seller.patch('/accounting/settings', { account_map: { receivable: null } });
    assert.deepEqual(await refused(), [409, 'account_map_incomplete']);
    const old = await seller.draft('invoice', { issue_date: '2024-04-01', transaction_date: '2024-04-01' });
    const reply = await seller.post(`/invoices/${old.id}/approve`);
    assert.deepEqual([reply.status, reply.body.code], [422, 'no_fiscal_year']);
  });

  test('a mirror moves to the last open day, and without one the operation is refused', async () => {
    const seller = await newBookedSeller(app, 'post');
    const invoice = await approved(seller);
    const [entry] = await seller.entriesOf(invoice.id);
    const lock = async (from: string | null, to: string) =>
      (await seller.post('/accounting/period-locks', { from, to, level: 'hard' })).body.period_lock;
    await lock('2026-05-01', '2027-12-31');
    const all = await lock('2026-03-01', '2026-04-30');
    const reply = await seller.post(`/invoices/${invoice.id}/cancel`, { reason: '誤り' });
    assert.deepEqual([reply.status, reply.body.code, reply.body.journal_id], [409, 'no_open_day', entry.id]);
    await seller.delete(`/accounting/period-locks/${all.id}`);
    const early = await seller.post(`/invoices/${invoice.id}/cancel`, {
      reason: '誤り',
      posting_date: '2026-03-31',
    });
    assert.deepEqual([early.status, early.body.errors[0].path], [422, '/posting_date']);
    const done = await seller.post(`/invoices/${invoice.id}/cancel`, { reason: '誤り' });
    assert.equal(done.status, 200, done.text);
    assert.equal((await seller.entriesOf(invoice.id))[1].date, '2026-04-30');
  });

  test('thirty approvals at once have thirty consecutive numbers', async () => {
    const seller = await newBookedSeller(app, 'post');
    const drafts = [];
    for (let n = 0; n < 30; n += 1) drafts.push(await seller.draft('invoice'));
    const replies = await Promise.all(
      drafts.map(({ id }) => persistently(() => seller.post(`/invoices/${id}/approve`))),
    );
    for (const reply of replies) assert.equal(reply.status, 200, reply.text);
    const numbers = [];
    for (const { id } of drafts) numbers.push((await seller.entriesOf(id))[0].number);
    assert.deepEqual(
      numbers.toSorted((one, other) => one - other),
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
  });
});

describe('with auto_journal: draft', () => {
  test('an invoice makes a draft, which goes when the invoice is cancelled', async () => {
    const seller = await newBookedSeller(app, 'draft');
    const invoice = await approved(seller);
    const [entry] = await seller.entriesOf(invoice.id);
    assert.deepEqual([entry.status, entry.number], ['draft', null]);
    const cancelled = await seller.post(`/invoices/${invoice.id}/cancel`, { reason: '誤り' });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.deepEqual(await seller.entriesOf(invoice.id), []);
  });
});

describe('an entry from a document', () => {
  const from = (seller: BookedSeller, body: object) =>
    seller.post('/accounting/journals/from-document', body);

  test('can be looked at, made and posted; once it is posted there is no other', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await approved(seller);
    assert.deepEqual(await seller.entriesOf(invoice.id), []);
    const source = { type: 'invoice', id: invoice.id };
    const preview = await from(seller, { ...source, preview: true });
    assert.deepEqual([preview.status, sidesOf(preview.body.journal)], [200, INVOICE]);
    assert.deepEqual(await seller.entriesOf(invoice.id), []);
    const [draft, posted] = [await from(seller, source), await from(seller, { ...source, post: true })];
    assert.deepEqual([draft.status, draft.body.journal.status], [201, 'draft']);
    assert.deepEqual([posted.status, posted.body.journal.number], [201, 1]);
    const again = await from(seller, source);
    assert.deepEqual(
      [again.status, again.body.code, again.body.journal_id],
      [409, 'has_journal', posted.body.journal.id],
    );
    const late = await seller.post(`/accounting/journals/${draft.body.journal.id}/post`);
    assert.deepEqual([late.status, late.body.code], [409, 'has_journal']);
    await seller.post(`/accounting/journals/${posted.body.journal.id}/void`, { reason: '誤り' });
    assert.equal((await from(seller, { ...source, post: true })).status, 201);
  });

  test('is refused for a draft invoice, an unknown one, and where approval is required', async () => {
    const seller = await newBookedSeller(app, 'off');
    const draft = await seller.draft('invoice');
    const code = async (body: object) => {
      const reply = await from(seller, body);
      return [reply.status, reply.body.code];
    };
    assert.deepEqual(await code({ type: 'invoice', id: draft.id }), [409, 'invalid_transition']);
    assert.deepEqual(await code({ type: 'payment', id: 'pay_01kaj2n5w5fq8b4m0g3v7x9rtc' }), [
      422,
      'unknown_reference',
    ]);
    const invoice = await approved(seller);
    await seller.patch('/accounting/settings', { approval: { required: true } });
    assert.deepEqual(await code({ type: 'invoice', id: invoice.id, post: true }), [409, 'approval_required']);
  });

  test('is made once by many who ask at the same time', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await approved(seller);
    const body = { type: 'invoice', id: invoice.id, post: true };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => persistently(() => from(seller, body))),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
  });
});
