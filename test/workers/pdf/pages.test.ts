import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Measures, pagesOf, type Row } from '../../../workers/pdf/paper/pages.ts';

const paper = { height: 1000, carried: 30 };
const measures = (changed: Partial<Measures>): Measures => {
  const given = { above: 300, head: 20, rows: [], below: 100, ...changed };
  const table = given.head + given.rows.reduce((sum, height) => sum + height, 0);
  return { whole: given.above + table + given.below, ...given };
};
const items = (count: number): Row[] => Array.from({ length: count }, () => ({ type: 'item' }));
const rowsOf = (count: number, height = 25) => Array.from({ length: count }, () => height);

describe('where pages begin', () => {
  test('nowhere, while one page is enough', () => {
    assert.equal(pagesOf(measures({ rows: rowsOf(20) }), items(20), paper), null);
  });

  test('before the first row for which there is no room, the carried sum counted', () => {
    // 994 - 300 - 20 - 30 = 644 pixels for rows of 25.
    assert.deepEqual(pagesOf(measures({ rows: rowsOf(40) }), items(40), paper), {
      table_on_new_page: false,
      first_row_is_cut: false,
      first_rows: [25],
    });
  });

  test('a carried sum takes no room where none is shown', () => {
    const pages = pagesOf(measures({ rows: rowsOf(40) }), items(40), { ...paper, carried: 0 });
    assert.deepEqual(pages?.first_rows, [26]);
  });

  test('so that the sums have rows above them', () => {
    // All 24 rows have room, the sums have none.
    assert.deepEqual(pagesOf(measures({ rows: rowsOf(24) }), items(24), paper)?.first_rows, [22]);
  });

  test('not between a text and what it heads', () => {
    const rows: Row[] = items(40);
    rows[24] = { type: 'text' };
    assert.deepEqual(pagesOf(measures({ rows: rowsOf(40) }), rows, paper)?.first_rows, [24]);
  });

  test('nowhere in the table, where only the memo runs over', () => {
    const pages = pagesOf({ ...measures({ rows: rowsOf(3) }), whole: 5000 }, items(3), paper);
    assert.deepEqual(pages, { table_on_new_page: false, first_row_is_cut: false, first_rows: [] });
  });

  test('before the table, where what is above leaves no room for its first row', () => {
    const pages = pagesOf(measures({ above: 940, rows: rowsOf(3) }), items(3), paper);
    assert.deepEqual(pages, { table_on_new_page: true, first_row_is_cut: false, first_rows: [] });
  });

  test('within the first row, where it is taller than the room below the letterhead', () => {
    // 674 pixels are left on the first page; of 800, 54 for the cut counted, 180 stand on the second.
    const pages = pagesOf(measures({ rows: [800, ...rowsOf(40)] }), items(41), paper);
    assert.deepEqual(pages, { table_on_new_page: false, first_row_is_cut: true, first_rows: [31] });
  });

  test('before the table, where only a little of a first row that is taller would stand', () => {
    const pages = pagesOf(measures({ above: 860, rows: [800, 25] }), items(2), paper);
    assert.deepEqual(pages, { table_on_new_page: true, first_row_is_cut: false, first_rows: [] });
  });

  test('after a row that fills more than a page', () => {
    const pages = pagesOf(measures({ rows: [25, 3000, 25, 25] }), items(4), paper);
    assert.deepEqual(pages?.first_rows, [1, 2]);
  });
});

const documents = fc
  .record({
    above: fc.integer({ min: 100, max: 1500 }),
    rows: fc.array(fc.integer({ min: 18, max: 700 }), { minLength: 1, maxLength: 120 }),
    below: fc.integer({ min: 0, max: 300 }),
    texts: fc.array(fc.boolean(), { minLength: 120, maxLength: 120 }),
    carried: fc.constantFrom(0, 30),
  })
  .map(({ texts, rows, carried, ...rest }) => ({
    measured: measures({ ...rest, rows }),
    kinds: rows.map((_, place): Row => ({ type: texts[place] ? 'text' : 'item' })),
    carried,
  }));

test('whatever the heights: every page holds its rows, their carried sums and the sums below', () => {
  fc.assert(
    fc.property(documents, ({ measured, kinds, carried }) => {
      const pages = pagesOf(measured, kinds, { height: 1000, carried });
      if (!pages) return assert.ok(measured.whole <= 1000);
      const { first_rows, table_on_new_page, first_row_is_cut } = pages;
      const [tallest = 0] = measured.rows;
      // What a first row that is cut has before the page on which it ends.
      const before = first_row_is_cut ? 1000 - measured.head : 0;
      if (first_row_is_cut) assert.ok(measured.above + measured.head + tallest > 994);
      assert.deepEqual(
        first_rows,
        [...new Set(first_rows)].toSorted((a, b) => a - b),
        'in order',
      );
      assert.ok(first_rows.every((row) => row > 0 && row < measured.rows.length));
      for (const [page, from] of [0, ...first_rows].entries()) {
        const to = first_rows[page] ?? measured.rows.length;
        const is_last = to === measured.rows.length;
        const above = page === 0 && !table_on_new_page ? measured.above : 0;
        const rows = measured.rows.slice(from, to).reduce((sum, height) => sum + height, 0);
        const sums = (page > 0 ? carried : 0) + (is_last ? measured.below : carried);
        const needed = above + measured.head + rows + sums - (page === 0 ? before : 0);
        // A page with one row has as little on it as can be.
        assert.ok(needed <= 1000 || to - from === 1, `page ${page + 1} needs ${needed}`);
      }
    }),
    { numRuns: 300 },
  );
});
