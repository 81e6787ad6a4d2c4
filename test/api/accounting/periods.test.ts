import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { assertRollups, linesOf, newBooks, persistently, type Side } from '../../support/books.ts';

const app = await startApp();

const RENT: Side[] = [
  ['6310', 1_000],
  ['1110', -1_000],
];

describe('locks', () => {
  test('keep days from all, from those without the right, or from entries of one source', async () => {
    const books = await newBooks(app);
    const clerk = await app.actor({
      organization_id: books.organization_id,
      scopes: ['accounting:read', 'accounting:write'],
    });
    const draft = await books.book('2025-04-15', RENT);
    const { period_lock, unposted_count } = (
      await books.post('/accounting/period-locks', { to: '2025-04-30', reason: '月次' })
    ).body;
    assert.deepEqual([period_lock.level, period_lock.scope, unposted_count], ['soft', 'all', 1]);
    const body = { date: '2025-04-30', lines: linesOf(RENT) };
    const kept = await clerk.post('/accounting/journals', body);
    assert.deepEqual(
      [kept.status, kept.body.code, kept.body.lock_id],
      [409, 'period_locked', period_lock.id],
    );
    const moved = await clerk.patch(`/accounting/journals/${draft.id}`, { date: '2025-05-01' });
    assert.equal(moved.body.code, 'period_locked');
    assert.equal((await books.post('/accounting/journals', body)).status, 201);
    await books.make('period-locks', { to: '2025-04-30', level: 'hard', scope: 'sales' });
    assert.equal((await books.post('/accounting/journals', body)).status, 201);
    await books.make('period-locks', { from: '2025-04-01', to: '2025-04-30', level: 'hard' });
    assert.equal((await books.post('/accounting/journals', body)).body.code, 'period_locked');
    // A mirror goes to the present where its own day is locked, which no year holds here.
    const posted = await books.post_entry('2025-05-01', RENT);
    await books.make('period-locks', { to: '2025-12-31', level: 'hard' });
    const voided = await books.act(posted.id, 'void', { reason: 'x' });
    assert.equal(voided.body.code, 'no_fiscal_year');
    assert.equal((await books.get('/accounting/period-locks?date=2025-04-30')).body.total, 4);
  });

  test('are taken after what is being posted, which is refused from then on', async () => {
    const books = await newBooks(app);
    const entry = { date: '2025-08-01', lines: linesOf(RENT), post: true };
    const posts = Array.from({ length: 40 }, () =>
      persistently(() => books.post('/accounting/journals', entry)),
    );
    const lock = persistently(() =>
      books.post('/accounting/period-locks', { to: '2025-08-31', level: 'hard' }),
    );
    const replies = await Promise.all(posts);
    assert.equal((await lock).status, 201);
    assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'period_locked'));
    const late = await books.post('/accounting/journals', entry);
    assert.equal(late.body.code, 'period_locked');
    await assertRollups(app, books);
  });
});

describe('years', () => {
  test('follow each other, have 18 months at most, and stay as they are once entries are in them', async () => {
    const books = await newBooks(app);
    const gap = await books.post('/accounting/fiscal-years', {
      start_date: '2026-02-01',
      end_date: '2026-12-31',
    });
    assert.deepEqual(
      [gap.status, gap.body.code, gap.body.errors[0].path],
      [422, 'not_contiguous', '/start_date'],
    );
    const long = await books.post('/accounting/fiscal-years', {
      start_date: '2026-01-01',
      end_date: '2027-07-01',
    });
    assert.deepEqual([long.status, long.body.errors[0].path], [422, '/end_date']);
    const next = await books.make('fiscal-years', { start_date: '2026-01-01', end_date: '2027-06-30' });
    assert.equal(next.name, 'FY2026');
    await books.post_entry(
      '2025-01-01',
      [
        ['1140', 500],
        ['3110', -500],
      ],
      { kind: 'opening' },
    );
    const earlier = await books.post('/accounting/fiscal-years', {
      start_date: '2024-01-01',
      end_date: '2024-12-31',
    });
    assert.deepEqual([earlier.status, earlier.body.code], [409, 'opening_exists']);
    const used = await books.patch(`/accounting/fiscal-years/${books.year.id}`, { tax_rounding: 'ceil' });
    assert.deepEqual([used.status, used.body.code], [409, 'in_use']);
    const named = await books.patch(`/accounting/fiscal-years/${books.year.id}`, { name: '第1期' });
    assert.equal(named.body.fiscal_year.name, '第1期');
  });
});
