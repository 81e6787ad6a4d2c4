import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { sidesOf } from '../../support/booked-seller.ts';
import { persistently } from '../../support/books.ts';
import { newPayer, type Payer } from '../../support/received-payers.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const DAY = '2026-11-20';

/** An organization that sells to its supplier: an invoice and a received one of 11,000 yen each, with their payments. */
async function newPartner(auto_journal: 'off' | 'draft' | 'post') {
  return partnerOf(await newPayer(app, auto_journal));
}

async function partnerOf(payer: Payer, company_id: string = payer.company.id) {
  const lines = { line_items: [{ description: '用紙', quantity: '1', unit_price: '10000' }] };
  const sold = await payer.make('/invoices', {
    company_id,
    issue_date: '2026-11-02',
    ...lines,
  });
  const approved = await payer.post(`/invoices/${sold.id}/approve`);
  assert.equal(approved.status, 200, approved.text);
  const bought = await payer.approved({ ...lines, company_id, number: company_id });
  const amount = { amount: 1_000, method: 'offset', paid_on: DAY };
  return {
    payer,
    sold: sold.id as string,
    bought: bought.id as string,
    async offsetSold(more = {}): Promise<string> {
      const reply = await persistently(() =>
        payer.post(`/invoices/${sold.id}/payments`, { ...amount, ...more }),
      );
      assert.equal(reply.status, 201, reply.text);
      return reply.body.payment.id;
    },
    async offsetBought(more = {}): Promise<string> {
      const reply = await persistently(() => payer.pay(bought.id, { ...amount, ...more }));
      assert.equal(reply.status, 200, reply.text);
      return reply.body.payment.id;
    },
    removeSold: (id: string) => payer.delete(`/invoices/${sold.id}/payments/${id}`),
    removeBought: (id: string) => payer.delete(`/received-invoices/${bought.id}/payments/${id}`),
  };
}

const statuses = async (payer: Payer, id: string) =>
  (await payer.entriesOf(id)).map(({ status }: Shown) => status);

describe('two payments that set off one amount with a company on a day', () => {
  for (const first of ['offsetSold', 'offsetBought'] as const) {
    const second = first === 'offsetSold' ? 'offsetBought' : 'offsetSold';
    test(`are one entry, which stands until both are gone: ${first} first`, async () => {
      const partner = await newPartner('post');
      const { payer } = partner;
      const one = await partner[first]();
      const other = await partner[second]();
      assert.deepEqual(await payer.entriesOf(other), []);
      const [entry] = await payer.entriesOf(one);
      assert.deepEqual(
        sidesOf(entry).map(([code, amount]) => [code, amount]),
        [
          ['2120', 1_000],
          ['1220', -1_000],
        ],
      );
      assert.deepEqual([await payer.closing('1220'), await payer.closing('2120')], [10_000, -10_000]);
      const removals = { offsetSold: partner.removeSold, offsetBought: partner.removeBought };
      assert.ok((await removals[first](one)).status < 300);
      assert.deepEqual(await statuses(payer, one), ['posted']);
      assert.ok((await removals[second](other)).status < 300);
      assert.deepEqual(await statuses(payer, one), ['voided', 'posted']);
      assert.deepEqual([await payer.closing('1220'), await payer.closing('2120')], [11_000, -11_000]);
    });
  }

  test('are paired once, and only where day and amount agree', async () => {
    const partner = await newPartner('post');
    const { payer } = partner;
    await partner.offsetSold();
    assert.deepEqual(await payer.entriesOf(await partner.offsetBought()), []);
    assert.deepEqual(await statuses(payer, await partner.offsetBought()), ['posted']);
    assert.deepEqual(await statuses(payer, await partner.offsetSold({ paid_on: '2026-11-19' })), ['posted']);
    assert.deepEqual(await statuses(payer, await partner.offsetSold({ amount: 999 })), ['posted']);
    assert.deepEqual(await payer.entriesOf(await partner.offsetSold()), []);
  });

  test('come together again where one is taken back and recorded anew', async () => {
    const partner = await newPartner('post');
    const { payer } = partner;
    const sold = await partner.offsetSold();
    await partner.offsetBought();
    await partner.removeSold(sold);
    const anew = await partner.offsetSold();
    assert.deepEqual(await payer.entriesOf(anew), []);
    assert.deepEqual(await statuses(payer, sold), ['posted']);
    assert.deepEqual([await payer.closing('1220'), await payer.closing('2120')], [10_000, -10_000]);
  });

  test('have one entry by hand, too', async () => {
    const partner = await newPartner('off');
    const { payer } = partner;
    const sold = await partner.offsetSold();
    const bought = await partner.offsetBought();
    const journals = `/received-invoices/${partner.bought}/journals`;
    const made = await payer.post(journals, { payment_id: bought });
    assert.equal(made.status, 201, made.text);
    const other = await payer.post('/accounting/journals/from-document', { type: 'payment', id: sold });
    assert.deepEqual(
      [other.status, other.body.code, other.body.journal_id],
      [409, 'has_journal', made.body.journal.id],
    );
    assert.equal((await payer.delete(`/accounting/journals/${made.body.journal.id}`)).status, 200);
    const now = await payer.post('/accounting/journals/from-document', { type: 'payment', id: sold });
    assert.equal(now.status, 201, now.text);
    assert.equal((await payer.post(journals, { payment_id: bought })).body.code, 'has_journal');
    await partner.removeSold(sold);
    assert.deepEqual(await statuses(payer, sold), ['draft']);
    await partner.removeBought(bought);
    assert.deepEqual(await statuses(payer, sold), []);
  });

  test('recorded at once make one entry', async () => {
    const partner = await newPartner('post');
    const ids = await Promise.all([partner.offsetSold(), partner.offsetBought()]);
    const entries = await Promise.all(ids.map((id) => partner.payer.entriesOf(id)));
    assert.equal(entries.flat().length, 1);
  });
});

describe('a fee or a tax withheld beside what is set off', () => {
  const sold = { amount: 1_100, withheld_amount: 90, fee_amount: 10 };
  const bought = { fee_amount: 110 };
  const both = async (partner: Awaited<ReturnType<typeof newPartner>>) =>
    [await partner.payer.closing('1220'), await partner.payer.closing('2120')] as const;

  test('is booked by the payment that has it, whichever comes first', async () => {
    for (const first of ['sold', 'bought']) {
      const partner = await newPartner('post');
      const { payer } = partner;
      const ids: Record<string, string> = {};
      for (const side of first === 'sold' ? ['sold', 'bought'] : ['bought', 'sold']) {
        ids[side] = side === 'sold' ? await partner.offsetSold(sold) : await partner.offsetBought(bought);
      }
      assert.deepEqual(await both(partner), [9_900, -10_000], first);
      assert.deepEqual(
        await Promise.all(['1590', '6310', '1140'].map((code) => payer.closing(code))),
        [90, 110, -110],
      );
      const sides = async (id: string) =>
        sidesOf((await payer.entriesOf(id))[0]).map(([code, amount]) => [code, amount]);
      const second = first === 'sold' ? 'bought' : 'sold';
      assert.deepEqual(
        await sides(ids[second]!),
        first === 'sold'
          ? [
              ['6310', 100],
              ['1580', 10],
              ['1140', -110],
            ]
          : [
              ['6310', 10],
              ['1590', 90],
              ['1220', -100],
            ],
      );
    }
  });

  test('goes with its payment, and what is set off stays', async () => {
    const partner = await newPartner('post');
    const { payer } = partner;
    const one = await partner.offsetSold(sold);
    const other = await partner.offsetBought(bought);
    assert.ok((await partner.removeSold(one)).status < 300);
    assert.deepEqual(await both(partner), [10_000, -10_000]);
    assert.deepEqual([await payer.closing('1590'), await payer.closing('6310')], [0, 100]);
    assert.ok((await partner.removeBought(other)).status < 300);
    assert.deepEqual(await both(partner), [11_000, -11_000]);
    assert.deepEqual([await payer.closing('6310'), await payer.closing('1140')], [0, 0]);
  });

  test('is left to be booked by hand, too, and once', async () => {
    const partner = await newPartner('off');
    const { payer } = partner;
    const id = await partner.offsetSold(sold);
    const payment_id = await partner.offsetBought(bought);
    const book = () => payer.post('/accounting/journals/from-document', { type: 'payment', id, post: true });
    const beside = () =>
      payer.post(`/received-invoices/${partner.bought}/journals`, { payment_id, post: true });
    assert.equal((await book()).status, 201);
    assert.equal((await beside()).body.journal.total, 110);
    assert.deepEqual([(await beside()).body.code, (await book()).body.code], ['has_journal', 'has_journal']);
  });

  test('is the whole of a payment that sets off nothing', async () => {
    const partner = await newPartner('post');
    await partner.offsetSold({ amount: 100, withheld_amount: 100 });
    assert.deepEqual(await both(partner), [10_900, -11_000]);
  });
});

/** What is done to a company: a payment of one side, or the removal of one that is there. */
const step = fc.oneof(
  fc.record({
    side: fc.constantFrom('sold', 'bought'),
    set_off: fc.constantFrom(500, 500, 700),
    fee_amount: fc.constantFrom(0, 110),
    withheld: fc.constantFrom(0, 51),
  }),
  fc.record({ removed: fc.nat(9) }),
);

test('any payments and removals leave what is owed and claimed in the books, less what waits for its other side', async () => {
  const payer = await newPayer(app, 'post');
  const stories = fc.sample(fc.array(step, { minLength: 4, maxLength: 9 }), {
    numRuns: Number(process.env['STORIES'] ?? 6),
    seed: Number(process.env['SEED'] ?? 20_261_127),
  });
  for (const [index, story] of stories.entries()) {
    const company = await payer.make('/crm/companies', { name: `取引先${index}` });
    const partner = await partnerOf(payer, company.id);
    let there: { side: string; set_off: number; amount: number; id: string }[] = [];
    for (const done of story) {
      if ('removed' in done) {
        const gone = there[done.removed % Math.max(there.length, 1)];
        if (!gone) continue;
        const { side, id } = gone;
        const reply = await (side === 'sold' ? partner.removeSold(id) : partner.removeBought(id));
        assert.ok(reply.status < 300, reply.text);
        there = there.filter((one) => one !== gone);
      } else {
        const { side, set_off, fee_amount, withheld } = done;
        const amount = side === 'sold' ? set_off + fee_amount + withheld : set_off;
        const id =
          side === 'sold'
            ? await partner.offsetSold({ amount, fee_amount, withheld_amount: withheld })
            : await partner.offsetBought({ amount, fee_amount });
        there.push({ side, set_off, amount, id });
      }
      const sum = (side: string, of: 'set_off' | 'amount') =>
        there.filter((one) => one.side === side).reduce((all, one) => all + one[of], 0);
      const waiting = (side: string, other: string) =>
        [500, 700].reduce((all, set_off) => {
          const count = (of: string) =>
            there.filter((one) => one.side === of && one.set_off === set_off).length;
          return all + set_off * Math.max(0, count(side) - count(other));
        }, 0);
      const told = `${index}: ${JSON.stringify(story)}`;
      assert.equal(
        await payer.closing('1220', company.id),
        11_000 - sum('sold', 'amount') - waiting('bought', 'sold'),
        told,
      );
      assert.equal(
        (await payer.closing('2120', company.id)) + (await payer.closing('2310', company.id)),
        -(11_000 - sum('bought', 'amount') - waiting('sold', 'bought')),
        told,
      );
    }
  }
});
