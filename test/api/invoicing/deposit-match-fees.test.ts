import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %. */
const TOTAL = 12_080;

describe('a match', () => {
  test('puts the fee of its deposit into an invoice that can hold it, not into a smaller one that is due first', async () => {
    const seller = await newSeller(app);
    const small = await seller.after('invoice', ['approve'], {
      due_date: '2026-05-28',
      line_items: [{ description: '送料', unit_price: '455' }],
    });
    const large = await seller.after('invoice', ['approve'], { due_date: '2026-05-31' });
    const made = await seller.make('/deposits', {
      amount: TOTAL + 500 - 880,
      fee_amount: 880,
      received_on: '2026-05-29',
      payer_name: '株式会社山田商店',
    });
    const { outcome, suggestions } = (await seller.get('/deposits/matches?least_score=80')).body.items[0];
    assert.equal(outcome, 'match');
    const reply = await seller.post(`/deposits/${made.id}/match`, { least_score: 80 });
    assert.equal(reply.status, 200, reply.text);
    const paid = reply.body.deposit.allocations.map(({ invoice_id, amount }: Shown) => [invoice_id, amount]);
    assert.deepEqual(paid, [
      [large.id, TOTAL],
      [small.id, 500],
    ]);
    assert.deepEqual(
      suggestions[0].allocations.map(({ amount }: Shown) => amount),
      [TOTAL, 500],
    );
    assert.equal(reply.body.deposit.unallocated, 0);
  });
});
