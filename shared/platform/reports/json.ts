import { columnsIn, type ReportColumn, type ReportRow } from './report.ts';

type Cell = string | number | null;

/** The rows of a report as JSON: an object for each line, and the total where the report has one. */
export type ReportJson = { rows: Record<string, Cell>[]; totals: Record<string, Cell> | null };

/**
 * The rows as JSON shows them: yen and percentages as numbers, other decimals as exact text. The total names the columns
 * that are added up.
 */
export async function reportJson(
  columns: readonly ReportColumn[],
  rows: AsyncIterable<ReportRow>,
): Promise<ReportJson> {
  const shown = columnsIn(columns, 'json');
  const summed = shown.filter(({ column }) => column.is_summed);
  const json: ReportJson = { rows: [], totals: null };
  for await (const row of rows) {
    if (row.type === 'line') json.rows.push(objectOf(shown, row));
    if (row.type === 'total') json.totals = objectOf(summed, row);
  }
  return json;
}

function objectOf(
  shown: readonly { place: number; column: ReportColumn }[],
  { cells }: ReportRow,
): Record<string, Cell> {
  return Object.fromEntries(
    shown.map(({ place, column }) => [column.name, cellOf(cells[place] ?? null, column)]),
  );
}

function cellOf(cell: string | null, { kind }: ReportColumn): Cell {
  return cell !== null && (kind === 'yen' || kind === 'percent') ? Number(cell) : cell;
}
