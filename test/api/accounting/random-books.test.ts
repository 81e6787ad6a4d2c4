import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { type Books, linesOf, newBooks } from '../../support/books.ts';

/**
 * Whatever is done to entries, also at the same time: each balances, posted ones are numbered 1, 2, 3 ... in their year, and
 * the sums that reports read are those of the posted lines.
 */
const app = await startApp();

const CODES = ['1110', '1140', '1220', '2120', '3110', '4110', '6310'];

type Action = { what: number; which: number; amount: number; from: number; to: number; month: number };

const action: fc.Arbitrary<Action> = fc.record({
  what: fc.nat({ max: 9 }),
  which: fc.nat(1_000),
  amount: fc.integer({ min: 1, max: 9_999 }),
  from: fc.nat({ max: CODES.length - 1 }),
  to: fc.nat({ max: CODES.length - 1 }),
  month: fc.integer({ min: 1, max: 12 }),
});

/** Does one thing. What is refused by the state of an entry, or by a lock, is a part of life. */
async function act(
  books: Books,
  ids: string[],
  { what, which, amount, from, to, month }: Action,
): Promise<void> {
  const date = `2025-${String(month).padStart(2, '0')}-15`;
  const lines = linesOf([
    [CODES[from]!, amount],
    [CODES[to]!, -amount],
  ]);
  const id = ids[which % Math.max(ids.length, 1)] ?? 'je_none';
  const path = `/accounting/journals/${id}`;
  const kind = which % 3 === 0 ? 'adjusting' : 'normal';
  const replies = [
    () => books.post('/accounting/journals', { date, lines, kind }),
    () => books.post('/accounting/journals', { date, lines, kind, post: true }),
    () => books.act(id, 'post'),
    () => books.act(id, 'void', { reason: '誤り' }),
    () => books.act(id, 'submit'),
    () => books.act(id, 'approve'),
    () => books.act(id, 'withdraw'),
    () => books.patch(path, which % 2 ? { lines } : { date, kind }),
    () => books.delete(path),
    () => books.post('/accounting/period-locks', { from: date, to: date, level: 'hard' }),
  ];
  const { status, body, text } = await replies[what]!();
  assert.ok(status < 500 || status === 503, text);
  if (status === 201 && body.journal) ids.push(body.journal.id);
}

test('any actions leave books that balance, numbers without holes, and sums of the posted lines', async () => {
  const rounds = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(rounds, async (together) => {
      const books = await newBooks(app);
      await books.patch('/accounting/settings', { approval: { four_eyes: false } });
      const ids: string[] = [];
      for (const actions of together) await Promise.all(actions.map((each) => act(books, ids, each)));
      await app.database.withConnection(books.organization_id, async ({ query }) => {
        const values = [books.organization_id];
        const unbalanced = await query(
          `SELECT journal_id FROM accounting_lines WHERE organization_id = $1
            GROUP BY journal_id HAVING sum(debit) <> sum(credit)`,
          values,
        );
        assert.deepEqual(unbalanced, []);
        const numbered = await query<{ number: number; status: string; reverses: string | null }>(
          `SELECT number, status, reverses FROM accounting_journals
            WHERE organization_id = $1 AND number IS NOT NULL ORDER BY number`,
          values,
        );
        assert.deepEqual(
          numbered.map(({ number }) => number),
          numbered.map((_, at) => at + 1),
        );
        const voided = numbered.filter(({ status }) => status === 'voided').length;
        assert.equal(numbered.filter(({ reverses }) => reverses !== null).length, voided);
        for (const [table, day] of [
          ['accounting_days', 'date'],
          ['accounting_months', 'month'],
        ] as const) {
          const kept = await query(
            `SELECT account_id, kind_group, ${day} AS day, debit, credit FROM ${table}
              WHERE organization_id = $1 ORDER BY 1, 2, 3`,
            values,
          );
          const of_line = day === 'date' ? 'date' : "date_trunc('month', date)::date";
          const sums = await query(
            `SELECT account_id, kind_group, ${of_line} AS day, sum(debit)::bigint AS debit, sum(credit)::bigint AS credit
               FROM accounting_lines WHERE organization_id = $1 AND number IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
            values,
          );
          assert.deepEqual(kept, sums, table);
        }
        const dimensions = await query(
          `SELECT sum(debit)::bigint AS debit, sum(credit)::bigint AS credit FROM accounting_months_by_dimension
            WHERE organization_id = $1`,
          values,
        );
        const [all] = await query<{ debit: number; credit: number }>(
          `SELECT sum(debit)::bigint AS debit, sum(credit)::bigint AS credit FROM accounting_months
            WHERE organization_id = $1`,
          values,
        );
        assert.deepEqual(dimensions, [all]);
        assert.equal(all!.debit, all!.credit);
      });
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 12), endOnFailure: true },
  );
});
