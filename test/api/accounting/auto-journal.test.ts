import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type BookedSeller, newBookedSeller, sidesOf as partsOf } from '../../support/booked-seller.ts';

/** Everything happens on this day. */
const TODAY = '2026-11-20';

const ahead = Date.parse(`${TODAY}T03:00:00Z`) - Date.now();

const app = await startApp({ now: () => new Date(Date.now() + ahead) });

const sidesOf = (entry: Parameters<typeof partsOf>[0]) =>
  partsOf(entry).map(([code, amount, category]) => `${code} ${category} ${amount}`);

const SOLD = ['1220 O 12080', '4110 S10 -10000', '2385 S10 -1000', '4120 S8R -1000', '2385 S8R -80'];

const swapped = (sides: readonly string[]) =>
  sides.map((side) => side.replace(/(-?)(\d+)$/, (_, minus, amount) => (minus ? amount : `-${amount}`)));

/** Kinds, statuses and days of the entries of a record. */
async function lifeOf(seller: BookedSeller, id: string): Promise<string[]> {
  return (await seller.entriesOf(id)).map(({ kind, status, date }) => `${kind} ${status} ${date}`);
}

async function settle(seller: BookedSeller, changes: Record<string, unknown>): Promise<void> {
  const reply = await seller.patch('/accounting/settings', changes);
  assert.equal(reply.status, 200, reply.text);
}

async function pay(seller: BookedSeller, invoice_id: string, fields: Record<string, unknown>) {
  const reply = await seller.post(`/invoices/${invoice_id}/payments`, { paid_on: '2026-05-31', ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.payment;
}

for (const [auto_journal, status] of [
  ['post', 'posted'],
  ['draft', 'draft'],
] as const) {
  describe(`auto_journal ${auto_journal}`, () => {
    test('makes the entry of an approved invoice in the same commit', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      const { id } = await seller.after('invoice', ['approve']);
      const [entry, ...others] = await seller.entriesOf(id);
      assert.deepEqual(others, []);
      assert.deepEqual([entry.status, entry.date, sidesOf(entry)], [status, '2026-04-01', SOLD]);
      assert.equal(entry.number, auto_journal === 'post' ? 1 : null);
    });

    test('makes it of an invoice that is sent without an approval before', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      await seller.settings({ approval_required: false });
      const { id } = await seller.after('invoice', ['send']);
      assert.deepEqual(await lifeOf(seller, id), [`normal ${status} 2026-04-01`]);
    });

    test('makes that of payments and credit notes', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      const invoice = await seller.after('invoice', ['approve'], { withholding_mode: 'none' });
      const { id } = await pay(seller, invoice.id, { amount: 2_000, method: 'card', fee_amount: 70 });
      const [payment] = await seller.entriesOf(id);
      assert.deepEqual(
        [payment.status, payment.date, sidesOf(payment)],
        [status, '2026-05-31', ['1530 O 1930', '6310 PE 70', '1220 O -2000']],
      );
      const marked = await seller.act('invoice', invoice.id, 'mark-paid', {
        amount: 80,
        paid_on: '2026-06-01',
        method: 'cash',
      });
      const [cash] = await seller.entriesOf(marked.body.payment.id);
      assert.deepEqual([cash.status, sidesOf(cash)], [status, ['1110 O 80', '1220 O -80']]);
      const credited = await seller.post(`/invoices/${invoice.id}/credit-notes`, {
        reason: '返品',
        issue_date: '2026-06-02',
      });
      const [note] = await seller.entriesOf(credited.body.credit_note.id);
      assert.deepEqual([note.status, note.date], [status, '2026-06-02']);
      assert.deepEqual(sidesOf(note), [
        '4190 SR10 10000',
        '2385 SR10 1000',
        '4190 SR8R 1000',
        '2385 SR8R 80',
        '1220 O -12080',
      ]);
    });

    test('books what is withheld, the end of a period, and nothing for an invoice of 0', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      const { id } = await seller.after('invoice', ['approve'], {
        transaction_period: { from: '2026-03-21', to: '2026-04-20' },
        withholding_mode: 'net',
        line_items: [{ description: '原稿料', unit_price: '100000', withholding: true }],
      });
      const [entry] = await seller.entriesOf(id);
      assert.equal(entry.date, '2026-04-20');
      assert.deepEqual(sidesOf(entry), [
        '1220 O 99790',
        '1590 O 10210',
        '4110 S10 -100000',
        '2385 S10 -10000',
      ]);
      const free = await seller.after('invoice', ['approve'], {
        line_items: [{ description: '見本', unit_price: '0' }],
      });
      assert.equal(free.status, 'approved');
      assert.deepEqual(await seller.entriesOf(free.id), []);
    });

    test('takes back what is cancelled, revised or deleted', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      const cancelled = await seller.after('invoice', ['approve', 'cancel']);
      const revised = await seller.after('invoice', ['approve']);
      const { body } = await seller.act('invoice', revised.id, 'revise');
      assert.equal((await seller.act('invoice', body.invoice.id, 'approve')).status, 200);
      assert.equal((await seller.read('invoice', revised.id)).status, 'cancelled');
      const paid = await seller.after('invoice', ['approve']);
      const payment = await pay(seller, paid.id, { amount: 1_000 });
      const removed = await seller.delete(`/invoices/${paid.id}/payments/${payment.id}`);
      assert.equal(removed.status, 200, removed.text);
      const mirrored = (date: string) =>
        auto_journal === 'post' ? [`normal voided ${date}`, `reversal posted ${TODAY}`] : [];
      assert.deepEqual(await lifeOf(seller, cancelled.id), mirrored('2026-04-01'));
      assert.deepEqual(await lifeOf(seller, revised.id), mirrored('2026-04-01'));
      assert.deepEqual(await lifeOf(seller, body.invoice.id), [`normal ${status} 2026-04-01`]);
      assert.deepEqual(await lifeOf(seller, payment.id), mirrored('2026-05-31'));
      assert.deepEqual(await lifeOf(seller, paid.id), [`normal ${status} 2026-04-01`]);
      if (auto_journal === 'draft') return;
      const [original, mirror] = await seller.entriesOf(cancelled.id);
      assert.deepEqual(sidesOf(mirror), swapped(SOLD));
      assert.deepEqual([original.reversed_by, mirror.reverses], [mirror.id, original.id]);
      assert.equal(original.void_reason, '誤り');
      assert.deepEqual(mirror.source, original.source);
    });

    test('is refused with the operation by a lock, a closed year, no year and a missing account', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      const paid = await seller.after('invoice', ['approve']);
      const payment = await pay(seller, paid.id, { amount: 1_000 });
      const [first] = (await seller.get('/accounting/fiscal-years?sort=start_date:asc')).body.items;
      const closed = await seller.post(`/accounting/fiscal-years/${first.id}/close`);
      assert.equal(closed.status, 200, closed.text);
      await seller.make('/accounting/period-locks', {
        from: '2026-07-01',
        to: '2026-07-31',
        level: 'hard',
        scope: 'sales',
      });
      const refusals: [date: string, status: number, code: string][] = [
        ['2026-07-15', 409, 'period_locked'],
        ['2025-06-15', 409, 'fiscal_year_closed'],
        ['2024-06-15', 422, 'no_fiscal_year'],
      ];
      for (const [date, refused, code] of refusals) {
        const draft = await seller.draft('invoice', { issue_date: date });
        const approved = await seller.act('invoice', draft.id, 'approve');
        assert.deepEqual([approved.status, approved.body.code], [refused, code], approved.text);
        assert.equal(approved.body.errors, undefined);
        const after = await seller.read('invoice', draft.id);
        assert.deepEqual([after.status, after.number], ['draft', null]);
        const unpaid = await seller.post(`/invoices/${paid.id}/payments`, { amount: 1, paid_on: date });
        assert.deepEqual([unpaid.status, unpaid.body.code], [refused, code], unpaid.text);
        const credited = await seller.post(`/invoices/${paid.id}/credit-notes`, {
          reason: '返品',
          issue_date: date,
        });
        assert.deepEqual([credited.status, credited.body.code], [refused, code], credited.text);
      }
      await settle(seller, { account_map: { receivable: null } });
      const draft = await seller.draft('invoice');
      const approved = await seller.act('invoice', draft.id, 'approve');
      assert.deepEqual([approved.status, approved.body.code], [409, 'account_map_incomplete']);
      const after = await seller.read('invoice', paid.id);
      assert.deepEqual([after.amount_paid, after.credited], [1_000, 0]);
      assert.equal((await seller.get(`/invoices/${paid.id}/payments`)).body.items[0].id, payment.id);
      assert.deepEqual(await seller.entriesOf(draft.id), []);
    });

    test('needs no approval of the books', async () => {
      const seller = await newBookedSeller(app, auto_journal);
      await settle(seller, { approval: { required: true } });
      const { id } = await seller.after('invoice', ['approve']);
      assert.deepEqual(await lifeOf(seller, id), [`normal ${status} 2026-04-01`]);
    });
  });
}

describe('auto_journal off', () => {
  test('makes nothing, in organizations with books and without', async () => {
    const seller = await newBookedSeller(app, 'off');
    const invoice = await seller.after('invoice', ['approve']);
    const payment = await pay(seller, invoice.id, { amount: 80 });
    assert.deepEqual(await seller.entriesOf(invoice.id), []);
    assert.deepEqual(await seller.entriesOf(payment.id), []);
    const outside = await seller.after('invoice', ['approve'], {
      transaction_date: '1999-01-01',
      line_items: [{ description: '豆', unit_price: '1' }],
    });
    assert.equal(outside.status, 'approved');
  });

  test('still takes back the entry that was made of what is gone', async () => {
    const seller = await newBookedSeller(app, 'off');
    const { id } = await seller.after('invoice', ['approve']);
    await seller.post('/accounting/journals/from-document', { type: 'invoice', id });
    await seller.post('/accounting/journals/from-document', { type: 'invoice', id, post: true });
    const cancelled = await seller.act('invoice', id, 'cancel');
    assert.equal(cancelled.status, 200, cancelled.text);
    const entries = await seller.entriesOf(id);
    assert.deepEqual(
      entries.map(({ kind, status }) => `${kind} ${status}`),
      ['normal voided', 'reversal posted'],
    );
  });
});

describe('the day on which an entry is taken back', () => {
  const cancel = (seller: BookedSeller, id: string, posting_date?: string) =>
    seller.act('invoice', id, 'cancel', { reason: '誤り', ...(posting_date && { posting_date }) });

  test('is the one that was chosen, not before the entry, or the last open day before that', async () => {
    const seller = await newBookedSeller(app, 'post');
    await seller.make('/accounting/period-locks', { from: '2026-07-01', to: '2026-07-31', level: 'hard' });
    const { id } = await seller.after('invoice', ['approve']);
    const early = await cancel(seller, id, '2026-03-31');
    assert.deepEqual([early.status, early.body.errors[0].path], [422, '/posting_date'], early.text);
    assert.equal((await seller.read('invoice', id)).status, 'approved');
    assert.equal((await cancel(seller, id, '2026-04-30')).status, 200);
    assert.deepEqual(await lifeOf(seller, id), ['normal voided 2026-04-01', 'reversal posted 2026-04-30']);
    for (const [chosen, day] of [
      ['2026-07-15', '2026-06-30'],
      ['2028-01-01', '2027-12-31'],
    ] as const) {
      const other = await seller.after('invoice', ['approve']);
      assert.equal((await cancel(seller, other.id, chosen)).status, 200);
      assert.deepEqual(await lifeOf(seller, other.id), [
        'normal voided 2026-04-01',
        `reversal posted ${day}`,
      ]);
    }
  });

  test('is else the later of today and its own, or the last open day before that', async () => {
    const seller = await newBookedSeller(app, 'post');
    const ahead = await seller.after('invoice', ['approve'], { transaction_date: '2027-11-30' });
    assert.equal((await cancel(seller, ahead.id)).status, 200);
    assert.deepEqual(await lifeOf(seller, ahead.id), [
      'normal voided 2027-11-30',
      'reversal posted 2027-11-30',
    ]);

    const past = await seller.after('invoice', ['approve']);
    await seller.make('/accounting/period-locks', { from: '2026-05-11', to: '2027-12-31', level: 'hard' });
    await seller.make('/accounting/period-locks', {
      from: '2026-05-01',
      to: '2026-05-20',
      scope: 'sales',
      level: 'hard',
    });
    await seller.make('/accounting/period-locks', { to: '2026-04-15', level: 'hard' });
    assert.equal((await cancel(seller, past.id)).status, 200);
    assert.deepEqual(await lifeOf(seller, past.id), [
      'normal voided 2026-04-01',
      'reversal posted 2026-04-30',
    ]);
  });

  test('does not exist where all are locked: the operation is refused', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const [entry] = await seller.entriesOf(id);
    const payment = await pay(seller, id, { amount: 1_000 });
    await seller.make('/accounting/period-locks', { from: '2026-04-01', to: '2099-12-31', level: 'hard' });
    const removed = await seller.delete(`/invoices/${id}/payments/${payment.id}`);
    assert.deepEqual([removed.status, removed.body.code], [409, 'no_open_day'], removed.text);
    assert.equal((await seller.read('invoice', id)).status, 'partially_paid');
    const other = await newBookedSeller(app, 'post');
    const unpaid = await other.after('invoice', ['approve']);
    const [own] = await other.entriesOf(unpaid.id);
    await other.make('/accounting/period-locks', { to: '2099-12-31', level: 'soft' });
    assert.notEqual(own.id, entry.id);
    const manager = await app.actor({ organization_id: other.organization_id, scopes: ['invoicing:write'] });
    const refused = await manager.post(`/invoices/${unpaid.id}/cancel`, { reason: '誤り' });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.journal_id],
      [409, 'no_open_day', own.id],
    );
    assert.equal(
      (await cancel(other, unpaid.id)).status,
      200,
      'a soft lock lets holders of settings:write through',
    );
  });
});
