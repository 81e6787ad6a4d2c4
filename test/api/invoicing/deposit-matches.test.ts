import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { entriesOf, startBatchWorkers } from '../../support/batches.ts';
import { newBookedSeller, sidesOf } from '../../support/booked-seller.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { ended } from '../../support/exports.ts';
import { seedDocuments } from '../../support/many-documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startBatchWorkers(app);

/** 10 x 1,000 at 10 % and 4 x 250 at 8 %, due at the end of May. */
const TOTAL = 12_080;
const DUE = { due_date: '2026-05-31' };
const RECEIVED = '2026-05-29';

const deposit = (seller: Seller, amount: number, fields: Record<string, unknown> = {}): Promise<Shown> =>
  seller.make('/deposits', { amount, received_on: RECEIVED, payer_name: 'ヤマダショウテン', ...fields });

/** A seller whose customer has a name in kana, as banks write it. */
async function newMatcher(): Promise<Seller> {
  const seller = await newSeller(app);
  const named = await seller.patch(`/crm/companies/${seller.company.id}`, {
    name_kana: 'ヤマダショウテン',
  });
  assert.equal(named.status, 200, named.text);
  return seller;
}

const match = (seller: Seller, { id }: Shown, body = {}) => seller.post(`/deposits/${id}/match`, body);

/** What would become of the deposits, by ID. */
async function previewed(seller: Seller, query = ''): Promise<Record<string, Shown>> {
  const reply = await seller.get(`/deposits/matches?limit=300${query}`);
  assert.equal(reply.status, 200, reply.text);
  return Object.fromEntries(reply.body.items.map((item: Shown) => [item.id, item]));
}

describe('a match', () => {
  test('allocates a deposit to the one invoice that is likely enough, as the preview said', async () => {
    const seller = await newMatcher();
    const invoice = await seller.after('invoice', ['approve'], DUE);
    const made = await deposit(seller, TOTAL);
    const before = (await previewed(seller))[made.id];
    assert.deepEqual(
      [before.outcome, before.unallocated, before.suggestions[0].allocations[0].invoice_id],
      ['match', TOTAL, invoice.id],
    );
    assert.equal((await seller.read('invoice', invoice.id)).status, 'approved');
    const reply = await match(seller, made);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.deposit.unallocated, reply.body.deposit.company_id], [0, seller.company.id]);
    assert.equal((await seller.read('invoice', invoice.id)).status, 'paid');
    assert.deepEqual(await previewed(seller), {});
  });

  test('leaves what somebody has to decide, and says why', async () => {
    const seller = await newMatcher();
    const stranger = await deposit(seller, 777, { payer_name: 'ダレカ' });
    const nameless = await deposit(seller, TOTAL, { payer_name: null });
    await seller.after('invoice', ['approve'], DUE);
    const fee = await deposit(seller, TOTAL - 440);
    const lone = await previewed(seller);
    assert.deepEqual(
      [lone[stranger.id].outcome, lone[nameless.id].outcome, lone[fee.id].outcome],
      ['no_match', 'no_match', 'match_with_fee'],
    );
    assert.equal((await previewed(seller, '&with_fee=true'))[fee.id].outcome, 'match');
    await seller.after('invoice', ['approve'], DUE);
    const twice = await deposit(seller, TOTAL);
    const codes = async (one: Shown, body = {}) => {
      const reply = await match(seller, one, body);
      return [reply.status, reply.body.code];
    };
    assert.deepEqual(await codes(stranger), [422, 'no_match']);
    assert.deepEqual(await codes(nameless), [422, 'no_match']);
    assert.deepEqual(await codes(twice), [422, 'ambiguous_match']);
    const told = await match(seller, twice);
    assert.match(told.body.detail, /^Likely: 株式会社山田商店 INV-\S+ \(98\); 株式会社山田商店 INV-/);
    assert.equal((await previewed(seller))[twice.id].suggestions.length, 2);
    const open = (await seller.get('/invoices?outstanding=true')).body.items;
    assert.equal(open.length, 2);
  });

  test('leaves a deposit where more companies of its name, or more open invoices, are there than are compared', async () => {
    const seller = await newMatcher();
    const invoice = await seller.after('invoice', ['approve'], DUE);
    const made = await deposit(seller, TOTAL);
    const companiesOf = async (name: (n: number) => string) => {
      for (let n = 0; n < 20; n += 1) await seller.make('/crm/companies', { name: name(n) });
    };
    await companiesOf((n) => `ヤマダショウテン${n}`);
    assert.equal((await previewed(seller))[made.id].outcome, 'match');
    await companiesOf(() => 'ヤマダショウテン');
    assert.equal((await match(seller, made)).body.code, 'ambiguous_match');
    const said = await seller.patch(`/deposits/${made.id}`, { company_id: seller.company.id });
    assert.equal(said.status, 200, said.text);
    assert.equal((await previewed(seller))[made.id].outcome, 'match');
    const companies = [seller.company.id];
    await seedDocuments(app.database, seller.actor, 'invoice', { companies, count: 54 });
    assert.equal((await match(seller, made)).body.code, 'ambiguous_match');
    assert.equal((await seller.read('invoice', invoice.id)).status, 'approved');
  });

  test('bears a fee where that is allowed, and takes a lower score', async () => {
    const seller = await newMatcher();
    const invoice = await seller.after('invoice', ['approve'], DUE);
    const made = await deposit(seller, TOTAL - 440);
    assert.deepEqual((await match(seller, made)).body.code, 'match_with_fee');
    const { body } = await match(seller, made, { with_fee: true });
    assert.deepEqual([body.deposit.fee_amount, body.deposit.unallocated], [440, 0]);
    assert.equal((await seller.read('invoice', invoice.id)).status, 'paid');
    const late = await seller.after('invoice', ['approve'], { due_date: '2026-08-31' });
    const part = await deposit(seller, TOTAL, { payer_name: 'ﾔﾏﾀﾞｼﾖｳ' });
    assert.equal((await match(seller, part)).body.code, 'no_match');
    const lower = await match(seller, part, { least_score: 75 });
    assert.equal(lower.status, 200, lower.text);
    assert.equal((await seller.read('invoice', late.id)).status, 'paid');
    const refused = await match(seller, part, { least_score: 20 });
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/least_score']);
    assert.equal((await match(seller, part)).body.code, 'nothing_unallocated');
  });

  test('believes who says whose a deposit is, and matches its rest alone', async () => {
    const seller = await newMatcher();
    const [one, two] = [
      await seller.after('invoice', ['approve'], DUE),
      await seller.after('invoice', ['approve'], {
        ...DUE,
        line_items: [{ description: '送料', quantity: '1', unit_price: '500' }],
      }),
    ];
    const made = await deposit(seller, TOTAL + 550, {
      payer_name: '本人',
      allocations: [{ invoice_id: one.id, amount: TOTAL }],
    });
    const [suggestion] = (await previewed(seller))[made.id].suggestions;
    assert.deepEqual(suggestion.reasons, ['company', 'amount', 'due_near']);
    const { body } = await match(seller, made);
    assert.deepEqual(
      body.deposit.allocations.map(({ invoice_id }: Shown) => invoice_id),
      [one.id, two.id],
    );
  });

  test('is booked out of the advance, as an allocation by hand is', async () => {
    const seller = await newBookedSeller(app, 'post');
    await seller.patch(`/crm/companies/${seller.company.id}`, { name_kana: 'ヤマダショウテン' });
    await seller.after('invoice', ['approve'], DUE);
    const made = await deposit(seller, TOTAL);
    const { body } = await match(seller, made);
    const [entry] = await seller.entriesOf(body.deposit.allocations[0].id);
    assert.deepEqual(
      sidesOf(entry).map(([, amount]) => amount),
      [TOTAL, -TOTAL],
    );
  });

  test('hears If-Match', async () => {
    const seller = await newMatcher();
    const made = await deposit(seller, 1);
    const reply = await seller.post(`/deposits/${made.id}/match`, {}, { 'If-Match': '"rev-1"' });
    assert.equal(reply.status, 412, reply.text);
  });
});

describe('a preview of matches', () => {
  /** The outcomes of the deposits, and those of a batch that then does it. */
  async function previewedAndDone(
    seller: Seller,
    deposits: readonly Shown[],
    body: Record<string, number> = {},
  ): Promise<[string[], string[]]> {
    const parameters = Object.entries(body).map(([name, value]) => `&${name}=${value}`);
    const before = await previewed(seller, `&sort=created_at:asc${parameters.join('')}`);
    const asked = { action: 'match', ...body, filter: { has_unallocated: true } };
    const { body: begun, text } = await seller.post('/deposits/batch', asked);
    assert.ok(begun.job, text);
    const done = entriesOf(await ended(seller, begun.job.id)) as Shown[];
    const doneOf = ({ id }: Shown) => done.find((entry) => entry.id === id).code ?? 'match';
    return [deposits.map(({ id }) => before[id].outcome), deposits.map(doneOf)];
  }

  test('gives an invoice to the first that would pay it, in the order of the list', async () => {
    const seller = await newMatcher();
    await seller.after('invoice', ['approve'], DUE);
    const deposits = [await deposit(seller, TOTAL), await deposit(seller, TOTAL)];
    const newest = await previewed(seller);
    assert.deepEqual(
      deposits.map(({ id }) => newest[id].outcome),
      ['no_match', 'match'],
    );
    assert.deepEqual(newest[deposits[0].id].suggestions, []);
    const [before, done] = await previewedAndDone(seller, deposits);
    assert.deepEqual(before, ['match', 'no_match']);
    assert.deepEqual(done, before);
  });

  test('leaves an invoice to those behind whose turn is another, and knows who has paid by then', async () => {
    const seller = await newMatcher();
    const of = (price: string, due_date: string) =>
      seller.after('invoice', ['approve'], {
        due_date,
        line_items: [{ description: '品', quantity: '1', unit_price: price }],
      });
    await of('1000', '2026-05-31');
    await of('2000', '2026-08-31');
    await of('3000', '2026-05-31');
    await of('3000', '2026-05-31');
    const deposits = [
      await deposit(seller, 1_100, { payer_name: 'ﾔﾏﾀﾞｼﾖｳ' }),
      await deposit(seller, 2_200, { payer_name: 'ﾔﾏﾀﾞｼﾖｳ' }),
      await deposit(seller, 3_300),
      await deposit(seller, 3_300),
    ];
    const [before, done] = await previewedAndDone(seller, deposits, { least_score: 80 });
    assert.deepEqual(before, ['match', 'match', 'ambiguous_match', 'ambiguous_match']);
    assert.deepEqual(done, before);
  });
});

describe('a batch of matches', () => {
  test('does what is sure and tells each that it left', async () => {
    const seller = await newMatcher();
    const paid = await seller.after('invoice', ['approve'], DUE);
    const [first, second, stranger] = [
      await deposit(seller, TOTAL),
      await deposit(seller, TOTAL),
      await deposit(seller, 5, { payer_name: 'ダレカ' }),
    ];
    const filter = { has_unallocated: true, received_from: '2026-05-01', received_to: '2026-05-31' };
    const asked = await seller.post('/deposits/batch', { action: 'match', filter });
    assert.equal(asked.status, 202, asked.text);
    const done = await ended(seller, asked.body.job.id);
    assert.deepEqual(entriesOf(done), [
      { id: first.id, status: 200, code: null },
      { id: second.id, status: 422, code: 'no_match' },
      { id: stranger.id, status: 422, code: 'no_match' },
    ]);
    assert.equal((await seller.read('invoice', paid.id)).status, 'paid');
    const again = await seller.post('/deposits/batch', { action: 'match', ids: [first.id] });
    assert.deepEqual(entriesOf(await ended(seller, again.body.job.id)), [
      { id: first.id, status: 409, code: 'nothing_unallocated' },
    ]);
  });

  test('several at once, with single calls and payments between, allocate nothing twice', async () => {
    const seller = await newMatcher();
    const amounts = Array.from({ length: 12 }, (_, n) => 1_000 + 1_000 * n);
    const invoices: Shown[] = [];
    for (const price of amounts) {
      const line_items = [{ description: '品', quantity: '1', unit_price: String(price) }];
      invoices.push(await seller.after('invoice', ['approve'], { ...DUE, line_items }));
    }
    const deposits: Shown[] = [];
    for (const { totals } of invoices) {
      for (let turn = 0; turn < 2; turn += 1) deposits.push(await deposit(seller, totals.total));
    }
    const filter = { has_unallocated: true };
    const [...replies] = await Promise.all([
      ...[1, 2].map(() => seller.post('/deposits/batch', { action: 'match', filter })),
      ...deposits.map((one) => match(seller, one)),
      ...invoices.slice(0, 3).map(({ id }) => seller.post(`/invoices/${id}/mark-paid`, {})),
    ]);
    for (const { status, text } of replies) assert.ok(status < 500, text);
    for (const { body } of replies.slice(0, 2)) {
      const { entries } = (await ended(seller, body.job.id)).result as Shown;
      for (const { status, code } of entries) assert.ok(status < 500, code);
    }
    const payments = (await seller.get('/payments?limit=100')).body.items;
    for (const { id, totals } of invoices) {
      const own = payments.filter(({ invoice_id }: Shown) => invoice_id === id);
      assert.deepEqual(
        own.map(({ amount }: Shown) => amount),
        [totals.total],
      );
      assert.equal((await seller.read('invoice', id)).status, 'paid');
    }
    const after = (await seller.get('/deposits?limit=100')).body.items;
    const allocated = after.reduce((sum: number, one: Shown) => sum + one.allocated, 0);
    const of_deposits = payments.filter(({ deposit_id }: Shown) => deposit_id !== null);
    assert.equal(
      allocated,
      of_deposits.reduce((sum: number, one: Shown) => sum + one.amount, 0),
    );
  });
});
