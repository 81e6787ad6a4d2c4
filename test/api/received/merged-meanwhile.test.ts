import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { persistently } from '../../support/books.ts';
import type { Reply } from '../../support/client.ts';
import { simple } from '../../support/received.ts';
import { newPayer, type Payer } from '../../support/received-payers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();

/** A supplier with a document for each thing that is done to one, and those things. */
async function busySupplier(payer: Payer, name: string) {
  const company = await payer.make('/crm/companies', { name });
  const company_id = company.id;
  const order = await payer.make('/purchase-orders', { company_id, ...simple });
  const of = (number: string) => ({ company_id, number: `${name} ${number}` });
  const approved = (number: string) => payer.approved(of(number));
  const pending = await payer.register('invoice', { ...of('1'), purchase_order_id: order.id });
  const note = await payer.register('delivery_note', { ...of('2'), purchase_order_id: order.id });
  const [unpaid, reopened, paid] = [await approved('3'), await approved('4'), await approved('5')];
  const { payment } = (await payer.pay(paid.id, { amount: 1_000 })).body;
  const rejected = await payer.register('invoice', of('6'));
  const doings: (() => Promise<Reply>)[] = [
    () => payer.act('invoice', pending.id, 'approve'),
    () => payer.act('delivery_note', note.id, 'confirm'),
    () => payer.act('invoice', unpaid.id, 'mark-paid', { amount: 100 }),
    () => payer.act('invoice', unpaid.id, 'mark-paid', { amount: 200, method: 'offset' }),
    () => payer.act('invoice', reopened.id, 'reopen'),
    () => payer.delete(`/received-invoices/${paid.id}/payments/${payment.id}`),
    () => payer.act('invoice', rejected.id, 'reject'),
  ];
  const registering = () => payer.attempt('invoice', of('7'));
  return { company, doings, registering };
}

test('of companies that are merged crosswise, what is decided on and paid meanwhile keeps its company', async () => {
  const payer = await newPayer(app, 'post');
  for (let round = 0; round < 4; round += 1) {
    const [one, other] = [await busySupplier(payer, `A${round}`), await busySupplier(payer, `B${round}`)];
    const merge = (survivor: Shown, loser: Shown) =>
      persistently(() => payer.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id }));
    const merging = [merge(one.company, other.company), merge(other.company, one.company)];
    const doing = [...one.doings, ...other.doings].map(persistently);
    const registering = [one, other].map((each) => persistently(each.registering));
    const [merged, done, registered] = await Promise.all(
      [merging, doing, registering].map((calls) => Promise.all(calls)),
    );
    for (const { status, text } of done!) assert.equal(status, 200, text);
    const [success, ...more] = merged!.filter(({ status }) => status === 200);
    assert.ok(success && more.length === 0, merged!.map(({ text }) => text).join('\n'));
    const survivor = success.body.company.id;
    const fresh = registered!.filter(({ status }) => status === 201);
    for (const { status, body, text } of registered!) {
      // Who names the company that is gone by then is told so.
      assert.ok(status === 201 || body.code === 'unknown_reference', text);
    }
    const invoices = (await payer.get(`/received-invoices?company_id=${survivor}&limit=200`)).body.items;
    const notes = (await payer.get(`/receive-delivery-notes?company_id=${survivor}`)).body.items;
    assert.deepEqual([invoices.length, notes.length], [10 + fresh.length, 2]);
    for (const invoice of [...invoices, ...notes]) assert.equal(invoice.company_id, survivor);
    for (const { id, number, status } of invoices) {
      if (status === 'rejected') continue;
      const again = await payer.attempt('invoice', { company_id: survivor, number });
      assert.deepEqual([again.status, again.body.existing_id], [409, id], again.text);
    }
    const { groups } = (await payer.get('/received-invoices/due?group_by=company')).body;
    const owed = groups.filter(({ company_id }: Shown) => company_id === survivor);
    const open = invoices.filter(({ status }: Shown) => ['approved', 'partially_paid'].includes(status));
    assert.deepEqual(
      owed.map(({ count, balance }: Shown) => [count, balance]),
      [[6, open.reduce((sum: number, { balance }: Shown) => sum + balance, 0)]],
    );
  }
  const due = (await payer.get('/received-invoices/due')).body.balance;
  assert.equal(await payer.closing('2120'), -due);
});
