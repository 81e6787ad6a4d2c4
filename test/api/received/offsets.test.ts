import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
  const payer = await newPayer(app, auto_journal);
  const lines = { line_items: [{ description: '用紙', quantity: '1', unit_price: '10000' }] };
  const sold = await payer.make('/invoices', {
    company_id: payer.company.id,
    issue_date: '2026-11-02',
    ...lines,
  });
  const approved = await payer.post(`/invoices/${sold.id}/approve`);
  assert.equal(approved.status, 200, approved.text);
  const bought = await payer.approved(lines);
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
