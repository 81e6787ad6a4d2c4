import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { entriesOf, startBatchWorkers } from '../../support/batches.ts';
import { type BookedSeller, newBookedSeller } from '../../support/booked-seller.ts';
import { assertRollups, persistently } from '../../support/books.ts';
import type { Reply } from '../../support/client.ts';
import { ended } from '../../support/exports.ts';

const app = await startApp();

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** All posted entries, by their numbers. */
async function postedOf(seller: BookedSeller): Promise<Shown[]> {
  const reply = await seller.get('/accounting/journals?status=posted,voided&sort=number:asc&limit=200');
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items;
}

/** What the books say that the company owes. */
function receivableIn(entries: readonly Shown[]): number {
  const lines = entries.flatMap(({ lines }) => lines);
  return lines
    .filter(({ account_code }: Shown) => account_code === '1220')
    .reduce((sum: number, { debit, credit }: Shown) => sum + debit - credit, 0);
}

/** Numbers have no holes in any year. */
function assertConsecutive(entries: readonly Shown[]): void {
  for (const own of Map.groupBy(entries, ({ fiscal_year_id }) => fiscal_year_id).values()) {
    assert.deepEqual(
      own.map(({ number }: Shown) => number),
      own.map((_: Shown, at: number) => at + 1),
    );
  }
}

const answered = (replies: readonly Reply[]) => {
  for (const { status, text } of replies) assert.ok(status < 500, text);
};

test('one invoice that many cancel, pay, credit, book and take back at once is in the books as it is', async () => {
  const seller = await newBookedSeller(app, 'post');
  for (let round = 0; round < 4; round += 1) {
    const { id } = await seller.after('invoice', ['approve']);
    const [entry] = await seller.entriesOf(id);
    const note = (n: number) => ({ reason: '値引', issue_date: '2026-05-02', line_items: [line(n)] });
    const line = (n: number) => ({ description: '値引', unit_price: `${n}`, tax_category: 'standard' });
    const calls: (() => Promise<Reply>)[] = [
      () => seller.post(`/invoices/${id}/cancel`, { reason: '誤り' }),
      () => seller.post(`/invoices/${id}/payments`, { amount: 1_000, paid_on: '2026-05-01' }),
      () =>
        seller.post(`/invoices/${id}/mark-paid`, { amount: 2_000, paid_on: '2026-06-01', fee_amount: 110 }),
      () => seller.post(`/invoices/${id}/credit-notes`, note(100)),
      () => seller.post(`/invoices/${id}/send`),
      () => seller.post('/accounting/journals/from-document', { type: 'invoice', id, post: true }),
      () => seller.post('/accounting/journals/from-document', { type: 'invoice', id }),
    ];
    // Every second time the entry is voided by hand, and may be made anew by who books the invoice.
    if (round % 2 === 1) {
      calls.push(() => seller.post(`/accounting/journals/${entry.id}/void`, { reason: '誤り' }));
    }
    answered(await Promise.all([...calls, ...calls].map(persistently)));
    const entries = await seller.entriesOf(id);
    const standing = entries.filter(({ status, reverses }) => status === 'posted' && reverses === null);
    assert.ok(standing.length <= 1);
    const { status } = await seller.read('invoice', id);
    if (status === 'cancelled') {
      assert.deepEqual(standing, []);
      assert.ok(
        entries.every(({ number }) => number !== null),
        'what was not posted is gone',
      );
    }
    if (round % 2 === 0 && status !== 'cancelled') assert.equal(standing.length, 1);
  }
  const entries = await postedOf(seller);
  assertConsecutive(entries);
  await assertRollups(app, seller);
});

test('approvals beside the close of their year are in the closing entry, or are refused', async () => {
  const seller = await newBookedSeller(app, 'post');
  const drafts = await Promise.all(
    Array.from({ length: 20 }, () => seller.draft('invoice', { issue_date: '2025-04-01' })),
  );
  const [year] = (await seller.get('/accounting/fiscal-years?sort=start_date:asc')).body.items;
  const approvals = drafts.map(({ id }) => persistently(() => seller.post(`/invoices/${id}/approve`)));
  const closed = await persistently(() => seller.post(`/accounting/fiscal-years/${year.id}/close`));
  assert.equal(closed.status, 200, closed.text);
  const replies = await Promise.all(approvals);
  const taken = replies.filter(({ status }) => status === 200).length;
  for (const [at, { status, body }] of replies.entries()) {
    const { id } = drafts[at]!;
    const invoice = await seller.read('invoice', id);
    assert.deepEqual(
      status === 200
        ? [invoice.status, (await seller.entriesOf(id)).length]
        : [body.code, invoice.status, invoice.number, (await seller.entriesOf(id)).length],
      status === 200 ? ['approved', 1] : ['fiscal_year_closed', 'draft', null, 0],
    );
  }
  const sales = closed.body.closing_journal?.lines.find(({ account_code }: Shown) => account_code === '4110');
  assert.equal(sales?.debit ?? 0, taken * 10_000);
  const entries = await postedOf(seller);
  assertConsecutive(entries);
  assert.equal(receivableIn(entries), taken * 12_080);
});

test('a batch approves and books each invoice by itself, on behalf of who asked', async () => {
  const seller = await newBookedSeller(app, 'post');
  await seller.make('/accounting/period-locks', { from: '2026-07-01', to: '2026-07-31', level: 'hard' });
  const open = await seller.draft('invoice');
  const locked = await seller.draft('invoice', { issue_date: '2026-07-15' });
  const outside = await seller.draft('invoice', { issue_date: '2024-07-15' });
  await startBatchWorkers(app);
  const ids = [open.id, locked.id, outside.id];
  const asked = await seller.post('/invoices/batch', { action: 'approve', ids });
  assert.deepEqual(entriesOf(await ended(seller, asked.body.job.id)), [
    { id: open.id, status: 200, code: null },
    { id: locked.id, status: 409, code: 'period_locked' },
    { id: outside.id, status: 422, code: 'no_fiscal_year' },
  ]);
  const paid = await seller.post('/invoices/batch', {
    action: 'mark-paid',
    ids: [open.id],
    paid_on: '2026-05-31',
  });
  assert.deepEqual(entriesOf(await ended(seller, paid.body.job.id)), [
    { id: open.id, status: 200, code: null },
  ]);
  const entries = await postedOf(seller);
  assert.deepEqual(
    entries.map(({ number, source, posted_by }) => [number, source.type, posted_by]),
    [
      [1, 'invoice', seller.actor.user_id],
      [2, 'payment', seller.actor.user_id],
    ],
  );
  assert.equal(receivableIn(entries), 0);
});
