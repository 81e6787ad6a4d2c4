import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type BookedSeller, newBookedSeller, sidesOf as partsOf } from '../../support/booked-seller.ts';

/** Everything happens on this day. */
const TODAY = '2026-11-20';
const DAY = '2026-05-31';

const ahead = Date.parse(`${TODAY}T03:00:00Z`) - Date.now();

const app = await startApp({ now: () => new Date(Date.now() + ahead) });

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const sidesOf = (entry: Parameters<typeof partsOf>[0]) =>
  partsOf(entry).map(([code, amount]) => `${code} ${amount}`);

/** Kinds, statuses, days and sides of the entries of a record. */
async function lifeOf(seller: BookedSeller, id: string): Promise<string[]> {
  const entries = await seller.entriesOf(id);
  return entries
    .toSorted((one, other) => one.number - other.number)
    .map((entry) => `${entry.kind} ${entry.status} ${entry.date}: ${sidesOf(entry).join(', ')}`);
}

async function balances(seller: BookedSeller, query = ''): Promise<Record<string, number>> {
  const reply = await seller.get(
    `/accounting/reports/trial-balance?fiscal_year_id=${await year(seller)}${query}`,
  );
  assert.equal(reply.status, 200, reply.text);
  return Object.fromEntries(reply.body.report.rows.map(({ code, closing }: Shown) => [code, closing]));
}

async function year(seller: BookedSeller): Promise<string> {
  const { items } = (await seller.get('/accounting/fiscal-years')).body;
  return items.find(({ start_date }: Shown) => start_date === '2026-01-01').id;
}

const deposit = (seller: BookedSeller, fields: Record<string, unknown>): Promise<Shown> =>
  seller.make('/deposits', { received_on: DAY, ...fields });

describe('auto_journal post', () => {
  test('what its making pays is booked with the payments, the rest as an advance received', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, {
      amount: 15_000,
      fee_amount: 440,
      payer_name: 'ﾔﾏﾀﾞ',
      bank_reference: 'R-1',
      allocations: [{ invoice_id: id, amount: 12_080 }],
    });
    assert.deepEqual(await lifeOf(seller, made.allocations[0].id), [
      `normal posted ${DAY}: 1140 11640, 6310 400, 1580 40, 1220 -12080`,
    ]);
    const [entry] = await seller.entriesOf(made.id);
    assert.deepEqual(
      [entry.description, entry.reference, entry.source, entry.lines[1].company_id],
      ['前受金 ﾔﾏﾀﾞ', 'R-1', { type: 'deposit', id: made.id }, seller.company.id],
    );
    assert.deepEqual(await lifeOf(seller, made.id), [`normal posted ${DAY}: 1140 3360, 2350 -3360`]);
  });

  test('a fee that is not taken yet is no money; a deposit that pays all has no entry', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const open = await deposit(seller, { amount: 1_000, fee_amount: 100, method: 'cash' });
    assert.deepEqual(await lifeOf(seller, open.id), [`normal posted ${DAY}: 1110 1000, 2350 -1000`]);
    const all = await deposit(seller, {
      amount: 12_080,
      allocations: [{ invoice_id: id, amount: 12_080 }],
    });
    assert.deepEqual(await seller.entriesOf(all.id), []);
  });

  test('what is allocated later comes out of the advance, and what is paid back too', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 15_000, fee_amount: 440 });
    const reply = await seller.post(`/deposits/${made.id}/allocations`, {
      allocations: [{ invoice_id: id, amount: 12_080 }],
    });
    const [payment] = reply.body.deposit.allocations;
    assert.deepEqual(await lifeOf(seller, payment.id), [
      `normal posted ${TODAY}: 2350 11640, 6310 400, 1580 40, 1220 -12080`,
    ]);
    const refunded = await seller.post(`/deposits/${made.id}/refunds`, {
      amount: 3_360,
      refunded_on: '2026-06-05',
      method: 'cash',
    });
    const [refund] = refunded.body.deposit.refunds;
    assert.deepEqual(await lifeOf(seller, refund.id), ['normal posted 2026-06-05: 2350 3360, 1110 -3360']);
    const [entry] = await seller.entriesOf(refund.id);
    assert.deepEqual(entry.source, { type: 'deposit', id: refund.id });
    const all = await balances(seller);
    assert.deepEqual([all['1140'], all['1220'], all['2350'], all['1110']], [15_000, 0, 0, -3_360]);
  });

  test('an advance of nobody known is taken out where it was put in', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 12_080 });
    await seller.post(`/deposits/${made.id}/allocations`, {
      allocations: [{ invoice_id: id, amount: 12_080 }],
    });
    for (const company of ['none', seller.company.id]) {
      const own = await balances(seller, `&company_id=${company}`);
      assert.deepEqual([own['2350'] ?? 0, own['1220'] ?? 0], [0, 0], company);
    }
  });

  test('an allocation of its making that is taken back becomes an advance from the day of the mirror', async () => {
    const seller = await newBookedSeller(app, 'post');
    const one = await seller.after('invoice', ['approve']);
    const other = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, {
      amount: 24_160,
      allocations: [one, other].map(({ id }) => ({ invoice_id: id, amount: 12_080 })),
    });
    const [first, second] = made.allocations;
    await seller.delete(`/deposits/${made.id}/allocations/${first.id}`);
    assert.deepEqual(await lifeOf(seller, first.id), [
      `normal voided ${DAY}: 1140 12080, 1220 -12080`,
      `reversal posted ${TODAY}: 1140 -12080, 1220 12080`,
    ]);
    assert.deepEqual(await lifeOf(seller, made.id), [`normal posted ${TODAY}: 1140 12080, 2350 -12080`]);
    const deleted = await seller.delete(`/invoices/${other.id}/payments/${second.id}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.deepEqual((await lifeOf(seller, made.id)).toSorted(), [
      `normal posted ${TODAY}: 1140 24160, 2350 -24160`,
      `normal voided ${TODAY}: 1140 12080, 2350 -12080`,
      `reversal posted ${TODAY}: 1140 -12080, 2350 12080`,
    ]);
    const later = await seller.post(`/deposits/${made.id}/allocations`, {
      allocations: [{ invoice_id: one.id, amount: 80 }],
    });
    const [payment] = later.body.deposit.allocations;
    await seller.delete(`/deposits/${made.id}/allocations/${payment.id}`);
    assert.deepEqual(await lifeOf(seller, payment.id), [
      `normal voided ${TODAY}: 2350 80, 1220 -80`,
      `reversal posted ${TODAY}: 2350 -80, 1220 80`,
    ]);
    assert.equal((await seller.delete(`/deposits/${made.id}`)).status, 200);
    const all = await balances(seller);
    assert.deepEqual([all['1140'], all['1220'], all['2350']], [0, 24_160, 0]);
  });

  test('what is allocated or paid back of money that is still to come is booked when it comes', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 15_000, received_on: '2026-12-10' });
    const { deposit: after } = (
      await seller.post(`/deposits/${made.id}/allocations`, {
        allocations: [{ invoice_id: id, amount: 12_080 }],
      })
    ).body;
    assert.deepEqual(await lifeOf(seller, after.allocations[0].id), [
      'normal posted 2026-12-10: 2350 12080, 1220 -12080',
    ]);
    const early = await seller.post(`/deposits/${made.id}/refunds`, {
      amount: 2_920,
      refunded_on: '2026-12-09',
    });
    assert.deepEqual(
      [early.status, early.body.errors?.[0].path, early.body.errors?.[0].code],
      [422, '/refunded_on', 'too_small'],
    );
    const refunded = await seller.post(`/deposits/${made.id}/refunds`, { amount: 2_920 });
    assert.equal(refunded.body.deposit?.refunds[0].refunded_on, '2026-12-10', refunded.text);
  });

  test('what the books refuse refuses the call, and nothing is there', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    await seller.make('/accounting/period-locks', { to: DAY, level: 'hard', scope: 'sales' });
    const refused = await seller.post('/deposits', {
      amount: 100,
      received_on: DAY,
      allocations: [{ invoice_id: id, amount: 100 }],
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'period_locked']);
    assert.deepEqual(
      [(await seller.get('/deposits')).body.total, (await seller.get('/payments')).body.total],
      [0, 0],
    );
  });
});

describe('auto_journal draft and off', () => {
  test('drafts follow what is taken back', async () => {
    const seller = await newBookedSeller(app, 'draft');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 15_000, allocations: [{ invoice_id: id, amount: 12_080 }] });
    assert.deepEqual(await lifeOf(seller, made.id), [`normal draft ${DAY}: 1140 2920, 2350 -2920`]);
    await seller.delete(`/deposits/${made.id}/allocations/${made.allocations[0].id}`);
    assert.deepEqual(await lifeOf(seller, made.id), [`normal draft ${DAY}: 1140 15000, 2350 -15000`]);
    await seller.delete(`/deposits/${made.id}`);
    assert.deepEqual(await seller.entriesOf(made.id), []);
  });

  test('an entry is made of a deposit and of a refund by hand, once', async () => {
    const seller = await newBookedSeller(app, 'off');
    const made = await deposit(seller, { amount: 1_000 });
    const { deposit: after } = (await seller.post(`/deposits/${made.id}/refunds`, { amount: 400 })).body;
    const from = (id: string) =>
      seller.post('/accounting/journals/from-document', { type: 'deposit', id, post: true });
    for (const id of [made.id, after.refunds[0].id]) {
      const reply = await from(id);
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual((await from(id)).body.code, 'has_journal');
    }
    assert.deepEqual(await lifeOf(seller, made.id), [`normal posted ${DAY}: 1140 1000, 2350 -1000`]);
    assert.equal((await from('dep_01kaj2n5w5fq8b4m0g3v7x9rtc')).body.code, 'unknown_reference');
  });

  const madeAndTakenBack = async (seller: BookedSeller, meanwhile: (payment_id: string) => Promise<void>) => {
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 15_000, allocations: [{ invoice_id: id, amount: 12_080 }] });
    const payment_id = made.allocations[0].id;
    await meanwhile(payment_id);
    const reply = await seller.delete(`/deposits/${made.id}/allocations/${payment_id}`);
    assert.equal(reply.status, 200, reply.text);
    return { made, payment_id };
  };

  test('the draft of a deposit takes what a posted payment gives back from the day of its mirror', async () => {
    const seller = await newBookedSeller(app, 'draft');
    const { made } = await madeAndTakenBack(seller, async (payment_id) => {
      const [entry] = await seller.entriesOf(payment_id);
      assert.equal((await seller.post(`/accounting/journals/${entry.id}/post`)).status, 200);
    });
    assert.deepEqual(await lifeOf(seller, made.id), [`normal draft ${TODAY}: 1140 15000, 2350 -15000`]);
  });

  test('what a posted payment gives back stays in the books after auto_journal was turned off', async () => {
    const seller = await newBookedSeller(app, 'post');
    const { id } = await seller.after('invoice', ['approve']);
    const made = await deposit(seller, { amount: 12_080, allocations: [{ invoice_id: id, amount: 12_080 }] });
    await seller.patch('/accounting/settings', { auto_journal: 'off' });
    await seller.delete(`/deposits/${made.id}/allocations/${made.allocations[0].id}`);
    assert.deepEqual(await lifeOf(seller, made.id), [`normal posted ${TODAY}: 1140 12080, 2350 -12080`]);
  });

  test('a deposit that the books never had is none of theirs when an allocation is taken back', async () => {
    const seller = await newBookedSeller(app, 'off');
    const { made } = await madeAndTakenBack(seller, async () => {
      await seller.patch('/accounting/settings', { auto_journal: 'post' });
      await seller.make('/accounting/period-locks', { to: DAY, level: 'hard' });
    });
    assert.deepEqual(await seller.entriesOf(made.id), []);
  });
});
