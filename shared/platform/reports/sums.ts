import Big from 'big.js';
import type { ReportColumn, ReportRow } from './report.ts';

/** Adds up the lines of a report as they come by; exact, also beyond what a number holds. */
export type Sums = {
  add(row: ReportRow): void;
  /** A cell for each column: the sum so far with as many decimals as its cells had, or null where it has none. */
  cells(): (string | null)[];
};

/** Sums over the columns that are added up, from zero. */
export function sumsOf(columns: readonly Pick<ReportColumn, 'is_summed'>[]): Sums {
  const sums = columns.map(({ is_summed }) => (is_summed ? { total: new Big(0), decimals: 0 } : null));
  return {
    add({ type, cells }) {
      if (type !== 'line') return;
      for (const [place, sum] of sums.entries()) {
        const cell = cells[place];
        if (!sum || cell === null || cell === undefined) continue;
        sum.total = sum.total.plus(cell);
        sum.decimals = Math.max(sum.decimals, cell.split('.')[1]?.length ?? 0);
      }
    },
    cells: () => sums.map((sum) => sum?.total.toFixed(sum.decimals) ?? null),
  };
}

/** The rows, and behind them one of the type `total` with the sums of the lines; `label` stands in its first text. */
export async function* withTotal(
  columns: readonly ReportColumn[],
  rows: AsyncIterable<ReportRow>,
  label: string,
): AsyncGenerator<ReportRow, void, void> {
  const sums = sumsOf(columns);
  for await (const row of rows) {
    sums.add(row);
    yield row;
  }
  const named = columns.findIndex(({ kind, formats }) => kind === 'text' && formats === undefined);
  yield { type: 'total', cells: sums.cells().map((sum, place) => (place === named ? label : sum)) };
}
