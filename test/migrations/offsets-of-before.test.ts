import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../shared/db/migrate.ts';
import { startApp } from '../support/app.ts';
import { backTo } from '../support/back-to.ts';
import { newSeller } from '../support/documents.ts';

const app = await startApp();
const client = new pg.Client({ connectionString: app.database_url });
await client.connect();

test('payments that set off before are noted by what came in by them, and wait for their other side', async (context) => {
  context.after(() => client.end());
  const seller = await newSeller(app);
  const invoice = await seller.after('invoice', ['approve']);
  const pay = async (fields: object) => {
    const reply = await seller.post(`/invoices/${invoice.id}/payments`, { paid_on: '2026-05-10', ...fields });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.payment.id as string;
  };
  const plain = await pay({ amount: 300, method: 'offset' });
  const withheld = await pay({ amount: 500, method: 'offset', withheld_amount: 51, fee_amount: 10 });
  await pay({ amount: 40, method: 'offset', withheld_amount: 40 });
  await pay({ amount: 60 });
  const noted = async () => {
    const { rows } = await client.query<{ source_id: string; amount: string }>(
      `SELECT source_id, amount, day::text, company_id, received_payment_id FROM accounting_offsets
        WHERE payment_id = source_id ORDER BY amount`,
    );
    return rows;
  };
  const made = await noted();
  await backTo(app.database_url, '0097_offsets_and_transfers');
  await migrate(app.database_url, { log: () => {} });
  assert.deepEqual(await noted(), made);
  assert.deepEqual(
    made.map(({ source_id, amount }) => [source_id, Number(amount)]),
    [
      [plain, 300],
      [withheld, 439],
    ],
  );
});
