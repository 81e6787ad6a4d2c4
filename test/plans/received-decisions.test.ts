import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plannedApp } from '../support/plans.ts';
import { newDecider } from '../support/received-life.ts';

/** What a decision reads where its supplier has sent very many invoices that were approved, and a few orders are billed. */
const MANY = 20_000;

const planned = await plannedApp();
const buyer = await newDecider(planned.app);
const of = {
  registration_number: 'T7000012050002',
  bank_account: { bank: 'みずほ銀行', number: '1234567', holder: 'ヤマダ' },
};
const { id } = await buyer.after('invoice', ['approve'], of);
await planned.fill(() =>
  planned.app.database.withConnection(buyer.organization_id, ({ query }) =>
    query(
      `INSERT INTO received_documents
       SELECT (jsonb_populate_record(document, jsonb_build_object(
                 'id', 'rinv_' || lpad(n::text, 26, '0'), 'total', document.total + n,
                 'purchase_order_id', 'po_' || lpad((n / 10)::text, 26, '0'),
                 'approved_at', document.approved_at - n * interval '1 hour'))).*
         FROM received_documents AS document, generate_series(1, ${MANY}) AS n
        WHERE document.organization_id = $1 AND document.id = $2`,
      [buyer.organization_id, id],
    ),
  ),
);

/** What an action read of the table of documents. */
async function readBy(kind: 'invoice' | 'delivery_note', document_id: string, action: string) {
  const { indexes, whole, rows } = await planned.plansOf(async () => {
    const reply = await buyer.act(kind, document_id, action);
    assert.equal(reply.status, 200, reply.text);
  });
  assert.ok(!whole.has('received_documents'), `${action} read the whole table`);
  assert.ok(rows < 300, `${action} looked at ${rows} rows`);
  return [...indexes];
}

test('an approval finds the last account of its company, and what its order was billed', async () => {
  const { id: purchase_order_id } = await buyer.order();
  const invoice = await buyer.register('invoice', { ...of, number: 'B', purchase_order_id });
  const indexes = await readBy('invoice', invoice.id, 'approve');
  assert.ok(indexes.includes('received_documents_last_account'), indexes.join());
  assert.ok(indexes.includes('received_documents_by_order'), indexes.join());
});

test('a note that is reopened finds the invoices of its order', async () => {
  const { id: purchase_order_id } = await buyer.order();
  const note = await buyer.after('delivery_note', ['confirm'], { purchase_order_id });
  const indexes = await readBy('delivery_note', note.id, 'reopen');
  assert.ok(indexes.includes('received_documents_by_order'), indexes.join());
});
