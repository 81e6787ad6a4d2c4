import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { sidesOf } from '../../support/booked-seller.ts';
import { persistently } from '../../support/books.ts';
import { addTo, paper } from '../../support/received-files.ts';
import { newPayer, type Payer } from '../../support/received-payers.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const text = (entry: Shown) =>
  sidesOf(entry).map(([code, amount, category]) => `${code} ${category} ${amount}`);

const book = (payer: Payer, id: string, body: Record<string, unknown> = {}) =>
  persistently(() => payer.post(`/received-invoices/${id}/journals`, body));

const REGISTERED = ['5120 P10 100000', '1580 P10 10000', '2120 O -110000'];

describe('with auto_journal: post', () => {
  test('an approved invoice is in the books in the same commit, on its posting date', async () => {
    const payer = await newPayer(app, 'post');
    const invoice = await payer.approved({ number: '2026-118', issue_date: '2026-11-02' });
    const [entry, ...others] = await payer.entriesOf(invoice.id);
    assert.deepEqual(others, []);
    assert.deepEqual(text(entry), REGISTERED);
    assert.deepEqual(
      [entry.status, entry.number, entry.date, entry.reference, entry.description],
      ['posted', 1, '2026-11-02', '2026-118', '受取請求書 2026-118'],
    );
    assert.equal(invoice.posting_date, '2026-11-02');
    assert.deepEqual(entry.source, { type: 'received_invoice', id: invoice.id });
    assert.ok(entry.lines.every((line: Shown) => line.company_id === payer.company.id));
    assert.deepEqual(invoice.journal_ids, [entry.id]);
  });

  test('an entry has as many lines as its invoice has accounts and purposes, beyond what a caller may send', async () => {
    const payer = await newPayer(app, 'post');
    const accounts = await payer.get('/accounting/accounts?limit=500');
    const ids = accounts.body.items.map(({ id }: Shown) => id);
    const lines = ids.flatMap((account_id: string) =>
      ['taxable', 'common', 'exempt'].flatMap((purpose) =>
        ['standard', 'reduced'].map((tax_category) => ({
          description: '品',
          unit_price: '100',
          account_id,
          purpose,
          tax_category,
        })),
      ),
    );
    const { id } = await payer.register('invoice', {
      registration_number: 'T7000012050002',
      line_items: lines.slice(0, 1_000),
    });
    const reply = await payer.act('invoice', id, 'approve', {});
    assert.equal(reply.status, 200);
    const { journal_ids, totals } = reply.body.received_invoice;
    const { journal } = (await payer.get(`/accounting/journals/${journal_ids[0]}`)).body;
    assert.ok(journal.lines.length > lines.length && lines.length > 500);
    assert.deepEqual([journal.status, journal.total], ['posted', totals.total]);
    assert.equal(
      sidesOf(journal).reduce((sum, [, amount]) => sum + amount, 0),
      0,
    );
  });

  test('an entry has a document once its invoice has a file', async () => {
    const payer = await newPayer(app, 'post');
    const invoice = await payer.approved();
    const having = async (has_document: boolean) =>
      (await payer.get(`/accounting/journals?has_document=${has_document}`)).body.items.map(
        ({ id }: Shown) => id,
      );
    assert.deepEqual([await having(true), await having(false)], [[], invoice.journal_ids]);
    assert.equal((await addTo(payer, 'invoice', invoice.id, [paper('bill')])).status, 201);
    assert.deepEqual([await having(true), await having(false)], [invoice.journal_ids, []]);
  });

  test('the tax of a supplier without a number is deductible in part', async () => {
    const payer = await newPayer(app, 'post');
    const { id } = await payer.approved({ registration_number: null });
    const [entry] = await payer.entriesOf(id);
    assert.deepEqual(text(entry), ['5120 P10T70 103000', '1580 P10T70 7000', '2120 O -110000']);
    const report = await payer.get(
      '/accounting/reports/consumption-tax?from=2026-01-01&to=2026-12-31&tax_category=P10T70',
    );
    assert.equal(report.status, 200, report.text);
    const [row] = report.body.report.rows;
    assert.deepEqual([row.tax_category, row.net, row.tax], ['P10T70', 103_000, 7_000]);
  });

  test('payments pay goods first, and are taken back by mirrors', async () => {
    const payer = await newPayer(app, 'post');
    const accounts = await payer.get('/accounting/accounts?search=6210');
    const [sga] = accounts.body.data ?? accounts.body.items;
    const { id } = await payer.approved({
      line_items: [
        { description: '紙', quantity: '1', unit_price: '40000' },
        { description: '消耗品', quantity: '1', unit_price: '60000', account_id: sga.id },
      ],
    });
    assert.deepEqual(text((await payer.entriesOf(id))[0]).slice(-2), ['2120 O -44000', '2310 O -66000']);
    const first = (await payer.pay(id, { amount: 50_000 })).body.payment;
    const [booked] = await payer.entriesOf(first.id);
    assert.deepEqual(text(booked), ['2120 O 44000', '2310 O 6000', '1140 O -50000']);
    assert.deepEqual(booked.source, { type: 'received_payment', id: first.id });
    const second = (await payer.pay(id, { amount: 30_000, method: 'cash' })).body.payment;
    assert.deepEqual(text((await payer.entriesOf(second.id))[0]), ['2310 O 30000', '1110 O -30000']);
    const removed = await payer.delete(`/received-invoices/${id}/payments/${first.id}`);
    assert.equal(removed.status, 200, removed.text);
    const [voided, mirror] = await payer.entriesOf(first.id);
    assert.deepEqual([voided.status, mirror.status, mirror.reverses], ['voided', 'posted', voided.id]);
    assert.deepEqual(text(mirror), ['2120 O -44000', '2310 O -6000', '1140 O 50000']);
    const rest = (await payer.pay(id)).body.payment;
    assert.deepEqual(text((await payer.entriesOf(rest.id))[0]), [
      '2120 O 44000',
      '2310 O 36000',
      '1140 O -80000',
    ]);
    assert.deepEqual([await payer.closing('2120'), await payer.closing('2310')], [0, 0]);
  });

  test('reopening takes the entry back, and another approval makes another one', async () => {
    const payer = await newPayer(app, 'post');
    const { id } = await payer.approved();
    assert.equal((await payer.act('invoice', id, 'reopen')).status, 200);
    assert.deepEqual(
      (await payer.entriesOf(id)).map(({ status }) => status),
      ['voided', 'posted'],
    );
    assert.equal(await payer.closing('2120'), 0);
    assert.equal((await payer.act('invoice', id, 'approve')).status, 200);
    assert.equal(await payer.closing('2120'), -110_000);
  });

  test('what the books refuse refuses the decision', async () => {
    const payer = await newPayer(app, 'post');
    const lock = await payer.post('/accounting/period-locks', {
      from: null,
      to: '2026-11-30',
      level: 'hard',
      scope: 'purchases',
    });
    assert.equal(lock.status, 201, lock.text);
    const { id } = await payer.register('invoice');
    const refused = await payer.act('invoice', id, 'approve', { posting_date: '2026-11-02' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'period_locked'], refused.text);
    assert.equal((await payer.read('invoice', id)).status, 'pending');
    const later = await payer.act('invoice', id, 'approve', { posting_date: '2026-12-01' });
    assert.equal(later.status, 200, later.text);
    assert.equal(later.body.received_invoice.posting_date, '2026-12-01');
    const paid = await payer.pay(id, { paid_on: '2026-11-20' });
    assert.deepEqual([paid.status, paid.body.code], [409, 'period_locked'], paid.text);
    assert.equal((await payer.read('invoice', id)).status, 'approved');
  });

  test('the posting date is that of the coming where the transaction lies in a locked period', async () => {
    const payer = await newPayer(app, 'post');
    const { status } = await payer.post('/accounting/period-locks', {
      from: null,
      to: '2026-10-31',
      level: 'hard',
    });
    assert.equal(status, 201);
    const invoice = await payer.approved({ issue_date: '2026-10-05', received_on: '2026-11-04' });
    assert.equal(invoice.posting_date, '2026-11-04');
    assert.equal((await payer.entriesOf(invoice.id))[0].date, '2026-11-04');
    const late = await payer.approved({ issue_date: '2026-10-05', received_on: '2026-10-06', number: '2' });
    const decided = Temporal.Instant.from(late.approved_at).toZonedDateTimeISO('Asia/Tokyo');
    assert.equal(late.posting_date, decided.toPlainDate().toString());
  });
});

describe('the entry of a received invoice by hand', () => {
  test('is a draft, posted or shown alone, once, and can be made anew when it is void', async () => {
    const payer = await newPayer(app, 'off');
    const { id, journal_ids } = await payer.approved();
    assert.deepEqual(journal_ids, []);
    const shown = await book(payer, id, { preview: true, post: true });
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual([shown.body.journal.id, text(shown.body.journal)], [null, REGISTERED]);
    assert.deepEqual(await payer.entriesOf(id), []);
    const posted = await book(payer, id, { post: true });
    assert.equal(posted.status, 201, posted.text);
    const { journal } = posted.body;
    assert.equal(posted.headers.get('location'), `/api/v1/accounting/journals/${journal.id}`);
    assert.deepEqual([journal.status, journal.number, text(journal)], ['posted', 1, REGISTERED]);
    const again = await book(payer, id);
    assert.deepEqual(
      [again.status, again.body.code, again.body.journal_id],
      [409, 'has_journal', journal.id],
    );
    const booked = async () => (await payer.get('/received-invoices?has_journal=true')).body.total;
    assert.equal(await booked(), 1);
    await payer.post(`/accounting/journals/${journal.id}/void`, { reason: '誤り' });
    assert.equal(await booked(), 0, 'what was taken back is to be booked again');
    assert.equal((await book(payer, id)).body.journal.status, 'draft');
    assert.equal(await booked(), 1);
  });

  test('of a payment, with a fee of ours', async () => {
    const payer = await newPayer(app, 'off');
    const { id } = await payer.approved();
    const { payment } = (await payer.pay(id, { fee_amount: 550, paid_on: '2026-11-20' })).body;
    const made = await book(payer, id, { payment_id: payment.id });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.journal.date, '2026-11-20');
    assert.deepEqual(text(made.body.journal), [
      '2120 O 110000',
      '6310 P10 500',
      '1580 P10 50',
      '1140 O -110550',
    ]);
  });

  test('is refused where there is none', async () => {
    const payer = await newPayer(app, 'off');
    const pending = await payer.register('invoice');
    const early = await book(payer, pending.id);
    assert.deepEqual(
      [early.status, early.body.code, early.body.current_status],
      [409, 'invalid_transition', 'pending'],
    );
    const { id } = await payer.approved({ number: '1' });
    const other = await payer.approved({ number: '2' });
    const { payment } = (await payer.pay(other.id)).body;
    const foreign = await book(payer, id, { payment_id: payment.id });
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown_reference']);
    const nothing = await payer.approved({
      number: '3',
      line_items: [{ description: '見本', quantity: '1', unit_price: '0' }],
    });
    assert.equal((await book(payer, nothing.id)).body.code, 'nothing_to_post');
    const reader = await app.actor({
      organization_id: payer.organization_id,
      scopes: ['received:write', 'accounting:read'],
    });
    assert.equal((await reader.post(`/received-invoices/${id}/journals`)).status, 403);
  });
});
