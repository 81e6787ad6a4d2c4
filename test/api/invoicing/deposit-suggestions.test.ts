import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

test('what a bank writes leads to the company and its invoices, as a deposit takes them', async () => {
  const seller = await newSeller(app);
  const blue = await seller.make('/crm/companies', {
    name: '株式会社青空商店',
    name_kana: 'アオゾラ ショウテン',
  });
  const own = [1, 2].map(() => seller.after('invoice', ['approve'], { company_id: blue.id }));
  const [one, two] = await Promise.all(own);
  const other = await seller.after('invoice', ['approve']);
  const ask = async (fields: Record<string, string>) => {
    const reply = await seller.get(`/deposits/suggestions?${new URLSearchParams(fields)}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.items;
  };
  const payer_name = 'ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ';
  const [first] = await ask({ amount: String(2 * TOTAL - 440), payer_name, received_on: '2026-05-31' });
  const { company_id, fee_amount, allocations, score, reasons } = first;
  assert.deepEqual(
    [company_id, first.company_name, fee_amount, reasons.slice(0, 4)],
    [blue.id, '株式会社青空商店', 440, ['name', 'sum', 'all_open', 'fee']],
  );
  assert.ok(score >= 80, `${score}`);
  const deposit = await seller.make('/deposits', {
    amount: 2 * TOTAL - 440,
    received_on: '2026-05-31',
    payer_name,
    company_id,
    fee_amount,
    allocations: allocations.map(({ number, ...allocation }: { number: string }) => allocation),
  });
  assert.equal(deposit.unallocated, 0);
  for (const { id } of [one, two]) assert.equal((await seller.read('invoice', id)).status, 'paid');
  const by_amount = await ask({ amount: String(TOTAL) });
  assert.deepEqual(
    by_amount.map((item: { company_id: string; allocations: { invoice_id: string }[] }) => [
      item.company_id,
      item.allocations[0]!.invoice_id,
    ]),
    [[seller.company.id, other.id]],
  );
  await seller.make('/deposits', {
    amount: 1,
    received_on: '2026-05-31',
    payer_name: 'ﾔﾏﾀﾞ ﾊﾅｺ',
    company_id: seller.company.id,
  });
  const [before] = await ask({ amount: '100', payer_name: 'ﾔﾏﾀﾞ ﾊﾅｺ' });
  assert.deepEqual(before.reasons.slice(0, 2), ['paid_before', 'oldest_first']);
  const stranger = await newSeller(app);
  const theirs = await stranger.get(`/deposits/suggestions?amount=${TOTAL}`);
  assert.deepEqual(theirs.body.items, []);
  const faulty = await seller.get('/deposits/suggestions?amount=0');
  assert.equal(faulty.status, 422);
});

test('of many companies with a name in theirs, the one that is called so is among the candidates', async () => {
  const seller = await newSeller(app);
  const makeBranches = async () => {
    for (let branch = 1; branch <= 21; branch += 1) {
      await seller.make('/crm/companies', { name: `青空商店 第${branch}支店` });
    }
  };
  await makeBranches();
  const { id: company_id } = await seller.make('/crm/companies', { name: '株式会社青空商店' });
  await seller.after('invoice', ['approve'], { company_id });
  await makeBranches();
  const { body } = await seller.get(`/deposits/suggestions?amount=${TOTAL - 1}&payer_name=青空商店`);
  assert.deepEqual(
    body.items.map((item: { company_id: string }) => item.company_id),
    [company_id],
  );
});
