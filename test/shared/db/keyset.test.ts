import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { type SortKey, stretchesAfter } from '../../../shared/db/keyset.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const row = fc.record({
  word: fc.constantFrom('', 'a', 'B', 'あ', '株', 'a b'),
  amount: fc.option(fc.integer({ min: -2, max: 2 })),
  at: fc.constantFrom('2026-04-01T00:00:00.000Z', '2026-04-01T00:00:00.001Z', '2026-05-01T00:00:00.000Z'),
});

const direction = fc.constantFrom('asc' as const, 'desc' as const);
const columns = fc.shuffledSubarray(['word', 'amount', 'at'], { minLength: 0, maxLength: 2 });

const ROWS = `(SELECT id, word COLLATE "C" AS word, amount, at
  FROM jsonb_to_recordset(?::jsonb) AS read (id text COLLATE "C", word text, amount integer, at timestamptz)) AS listed`;

/** The IDs of the rows in the order of the keys: all of them, or those behind a row, one stretch after the other. */
async function listed(rows: object[], keys: readonly SortKey[], cursor?: Record<string, unknown>) {
  const stretches = cursor ? stretchesAfter('listed', keys, cursor) : [{ text: 'true', values: [] }];
  const order = keys.map(({ column, direction }) => `"${column}" ${direction}`).join(', ');
  const ids: string[] = [];
  for (const { text: condition, values } of stretches) {
    let place = 0;
    const text = `SELECT id FROM ${ROWS} WHERE ${condition} ORDER BY ${order}`.replace(
      /\?/g,
      () => `$${++place}`,
    );
    const found = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<{ id: string }>(text, [JSON.stringify(rows), ...values], { prepared: false }),
    );
    ids.push(...found.map(({ id }) => id));
  }
  return ids;
}

test('what stands behind a row is the rest of the list, whatever it is sorted by and however many rows are alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      columns,
      fc.tuple(direction, direction),
      fc.nat(11),
      async (made, sorts, directions, at) => {
        const rows = made.map((one, n) => ({ ...one, id: `r${String(n).padStart(2, '0')}` }));
        const keys = sorts.map((column, n): SortKey => {
          return { column, direction: directions[n]!, nullable: column === 'amount' };
        });
        keys.push({ column: 'id', direction: directions[0], nullable: false });
        const cursor = rows[at % rows.length]!;
        const all = await listed(rows, keys);
        assert.deepEqual(await listed(rows, keys, cursor), all.slice(all.indexOf(cursor.id) + 1));
      },
    ),
    { numRuns: 200 },
  );
});
