import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newPayer, type Payer } from '../../support/received-payers.ts';

const app = await startApp();

const line = (unit_price: string) => ({ line_items: [{ description: '用紙', quantity: '1', unit_price }] });

/** What an invoice says of its payments. */
async function standing(payer: Payer, id: string) {
  const { status, amount_paid, balance, payments } = await payer.read('invoice', id);
  return { status, amount_paid, balance, count: payments.length };
}

describe('an approved invoice', () => {
  test('is paid as a whole by an empty call, by transfer, today', async () => {
    const payer = await newPayer(app, 'off');
    const { id } = await payer.approved();
    const { status, body, text } = await payer.pay(id);
    assert.equal(status, 200, text);
    const { received_invoice: invoice, payment } = body;
    assert.deepEqual(
      [invoice.status, invoice.amount_paid, invoice.balance, invoice.paid_on],
      ['paid', 110_000, 0, payment.paid_on],
    );
    assert.equal(invoice.paid_at, payment.paid_at);
    assert.deepEqual(invoice.payments, [payment]);
    assert.match(payment.id, /^rpay_/);
    assert.deepEqual(
      [payment.object, payment.amount, payment.method, payment.fee_amount, payment.fee_borne_by],
      ['received.payment', 110_000, 'bank_transfer', 0, null],
    );
    assert.equal(payment.transferred_amount, 110_000);
    const [again] = [await payer.pay(id)];
    assert.equal(again.status, 409, again.text);
    assert.deepEqual([again.body.code, again.body.current_status], ['invalid_transition', 'paid']);
  });

  test('is paid in parts, less what is withheld; each part can be taken back', async () => {
    const payer = await newPayer(app, 'off');
    const { id, balance } = await payer.approved({
      withholding_mode: 'net',
      line_items: [{ description: '原稿料', quantity: '1', unit_price: '100000', withholding: true }],
    });
    assert.equal(balance, 110_000 - 10_210);
    const first = await payer.pay(id, {
      amount: 59_790,
      fee_amount: 550,
      fee_borne_by: 'supplier',
      method: 'bank_transfer',
      paid_on: '2026-11-20',
      note: '前半',
      external_id: 'P-1',
      metadata: { run: '7' },
    });
    assert.equal(first.status, 200, first.text);
    const { payment } = first.body;
    assert.equal(payment.transferred_amount, 59_240);
    assert.equal(payment.paid_at, '2026-11-19T15:00:00.000Z');
    assert.deepEqual([payment.note, payment.external_id, payment.metadata], ['前半', 'P-1', { run: '7' }]);
    assert.deepEqual(await standing(payer, id), {
      status: 'partially_paid',
      amount_paid: 59_790,
      balance: 40_000,
      count: 1,
    });
    const rest = await payer.pay(id, { paid_at: '2026-11-20T20:00:00Z' });
    assert.equal(rest.body.payment.paid_on, '2026-11-21');
    assert.equal((await payer.read('invoice', id)).paid_on, '2026-11-21');
    const deleted = await payer.delete(`/received-invoices/${id}/payments/${payment.id}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual(
      [deleted.body.received_invoice.status, deleted.body.received_invoice.balance],
      ['partially_paid', 59_790],
    );
    const gone = await payer.delete(`/received-invoices/${id}/payments/${payment.id}`);
    assert.equal(gone.status, 404, gone.text);
    const last = await payer.delete(`/received-invoices/${id}/payments/${rest.body.payment.id}`);
    assert.equal(last.body.received_invoice.status, 'approved');
    assert.deepEqual(await standing(payer, id), {
      status: 'approved',
      amount_paid: 0,
      balance: 99_790,
      count: 0,
    });
    const none = await payer.delete(`/received-invoices/${id}/payments/${payment.id}`);
    assert.equal(none.status, 404, none.text);
  });

  test('that is below 0 is settled by what comes back', async () => {
    const payer = await newPayer(app, 'off');
    const { id, balance } = await payer.approved(line('-1000'));
    assert.equal(balance, -1_100);
    const wrong = await payer.pay(id, { amount: 100 });
    assert.equal(wrong.status, 422, wrong.text);
    assert.equal(wrong.body.errors[0].path, '/amount');
    const beyond = await payer.pay(id, { amount: -1_101 });
    assert.deepEqual([beyond.status, beyond.body.code, beyond.body.balance], [422, 'overpayment', -1_100]);
    const part = await payer.pay(id, { amount: -100, fee_amount: 10, fee_borne_by: 'supplier' });
    assert.equal(part.body.payment.transferred_amount, -90);
    assert.equal(part.body.received_invoice.balance, -1_000);
    assert.equal((await payer.pay(id)).body.received_invoice.status, 'paid');
  });

  test('is refused what cannot have been paid', async () => {
    const payer = await newPayer(app, 'off');
    const { id } = await payer.approved();
    const today = (await payer.pay(id, { amount: 1 })).body.payment.paid_on;
    const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
    const table: [body: Record<string, unknown>, code: string, path: string | null][] = [
      [{ amount: 0 }, 'validation_failed', '/amount'],
      [{ amount: -1 }, 'validation_failed', '/amount'],
      [{ amount: 110_000 }, 'overpayment', null],
      [{ amount: 100, fee_amount: 101 }, 'validation_failed', '/fee_amount'],
      [{ paid_on: tomorrow }, 'future_date', '/paid_on'],
      [{ paid_at: `${tomorrow}T12:00:00+09:00` }, 'future_date', '/paid_at'],
      [{ paid_on: '2026-11-20', paid_at: '2026-11-21' }, 'validation_failed', '/paid_at'],
      [{ method: 'cheque' }, 'validation_failed', '/method'],
      [{ fee_amount: -1 }, 'validation_failed', '/fee_amount'],
      [{ withheld_amount: 1 }, 'validation_failed', '/withheld_amount'],
    ];
    for (const [body, code, path] of table) {
      const reply = await payer.pay(id, body);
      assert.equal(reply.status, 422, JSON.stringify(body) + reply.text);
      assert.equal(reply.body.code, code, reply.text);
      if (path) assert.equal(reply.body.errors[0].path, path, reply.text);
    }
    const ahead = await payer.pay(id, { paid_on: tomorrow, allow_future: true });
    assert.equal(ahead.status, 200, ahead.text);
    const pending = await payer.register('invoice');
    assert.equal((await payer.pay(pending.id)).body.code, 'invalid_transition');
    const taken = await payer.approved();
    await payer.pay(taken.id, { amount: 1, external_id: 'P-1' });
    const twice = await payer.pay(taken.id, { amount: 1, external_id: 'P-1' });
    assert.deepEqual([twice.status, twice.body.code], [409, 'already_exists']);
  });

  test('is paid once by fifty calls at a time', async () => {
    const payer = await newPayer(app, 'post');
    const { id } = await payer.approved();
    const replies = await Promise.all(Array.from({ length: 50 }, () => payer.pay(id)));
    const statuses = replies.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
    assert.ok(statuses.every((status) => [200, 409, 503].includes(status)));
    assert.deepEqual(await standing(payer, id), {
      status: 'paid',
      amount_paid: 110_000,
      balance: 0,
      count: 1,
    });
    const { payments } = await payer.read('invoice', id);
    assert.equal((await payer.entriesOf(payments[0].id)).length, 1);
  });
});

describe('what is due', () => {
  test('is what is approved and not paid, by day or by company', async () => {
    const payer = await newPayer(app, 'off');
    const other = await payer.make('/crm/companies', { name: '北商会' });
    const due = async (query = '') => {
      const reply = await payer.get(`/received-invoices/due${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    assert.deepEqual(await due(), { groups: [], balance: 0, has_more: false });
    const early = await payer.approved({ due_date: '2026-11-10', number: '1', ...line('1000') });
    const late = await payer.approved({
      due_date: '2099-12-31',
      number: '2',
      company_id: other.id,
      ...line('2000'),
    });
    const same = await payer.approved({ due_date: '2026-11-10', number: '3', ...line('3000') });
    await payer.register('invoice', { due_date: '2026-11-10', number: '4' });
    const paid = await payer.approved({ due_date: '2026-11-10', number: '5' });
    await payer.pay(paid.id);
    await payer.pay(same.id, { amount: 300 });
    assert.deepEqual(await due(), {
      groups: [
        {
          due_date: '2026-11-10',
          count: 2,
          balance: 4_100,
          overdue_balance: 4_100,
          ids: [early.id, same.id],
        },
        { due_date: '2099-12-31', count: 1, balance: 2_200, overdue_balance: 0, ids: [late.id] },
      ],
      balance: 6_300,
      has_more: false,
    });
    const companies = [
      {
        company_id: payer.company.id,
        count: 2,
        balance: 4_100,
        overdue_balance: 4_100,
        ids: [early.id, same.id],
      },
      { company_id: other.id, count: 1, balance: 2_200, overdue_balance: 0, ids: [late.id] },
    ];
    assert.deepEqual((await due('?group_by=company')).groups, companies);
    assert.deepEqual((await due('?group_by=company&to=2026-11-10')).groups, companies.slice(0, 1));
    assert.deepEqual((await due('?to=2026-11-09')).groups, []);
    assert.equal((await payer.get('/received-invoices/due?group_by=status')).status, 422);
  });
});
