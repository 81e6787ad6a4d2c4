import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { balanceOf, statusByPayments } from '../../../shared/invoicing/payments/status.ts';

const SENT = '2026-04-01T00:00:00.000Z';

describe('the status after payments', () => {
  it('without any is that from before the first one, whatever the balance', () => {
    for (const balance of [1n, 0n, -1n]) {
      assert.equal(statusByPayments({ payments: 0, balance, sent_at: SENT }), 'sent');
      assert.equal(statusByPayments({ payments: 0, balance, sent_at: null }), 'approved');
    }
  });

  it('with some is partially_paid above a balance of 0, else paid', () => {
    for (const sent_at of [SENT, null]) {
      assert.equal(statusByPayments({ payments: 1, balance: 1n, sent_at }), 'partially_paid');
      assert.equal(statusByPayments({ payments: 2, balance: 0n, sent_at }), 'paid');
      assert.equal(statusByPayments({ payments: 1, balance: -1n, sent_at }), 'paid');
    }
  });
});

describe('the balance', () => {
  it('is what is due less payments and credits, below 0 after the credit of a paid invoice', () => {
    assert.equal(balanceOf({ amount_due: 110n, amount_paid: 30n, credited: 20n }), 60n);
    assert.equal(balanceOf({ amount_due: 110n, amount_paid: 110n, credited: 20n }), -20n);
  });
});
