import Papa from 'papaparse';
import { unguardFormula } from '../formula.ts';
import { LIMITS, type RowFault } from './row.ts';

/** Letters of a cell that is too long that are kept, so that its row can be found and mended. */
const KEPT = 1_000;

/**
 * The cells of well-formed records that follow each other, all but the last with the same line end behind them. The
 * library's parser by itself: what `Papa.parse` puts around it keeps every result alive until a full garbage
 * collection, which costs more than parsing (0.7 instead of 0.3 microseconds a row).
 */
export function splitRecords(text: string, separator: string, line_end: '\n' | '\r' | '\r\n'): string[][] {
  return new Papa.Parser({ delimiter: separator, newline: line_end }).parse(text, 0, false).data;
}

/** A record with text behind closing quotes, with that text inside them: `"a"b` becomes `"ab"`, as spreadsheets read it. */
export function withQuotesAtEnds(record: string, separator: string): string {
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)")?([^${separator}]*)(${separator}|$)`, 'g');
  return record.replace(cell, (whole, quoted: string | undefined, rest: string, end: string) =>
    quoted === undefined || rest === '' ? whole : `"${quoted}${rest.replaceAll('"', '""')}"${end}`,
  );
}

/** Whether the text, decoded from a file, holds what could not be decoded or what no text may hold. */
export function isSpoiled(text: string): boolean {
  return text.includes('\ufffd') || text.includes('\0');
}

/**
 * What is wrong with the cells of a row, the gravest first; `columns` null takes any number up to the limit, and cells at
 * the places in `long_columns` may have any length.
 */
export function faultOf(
  cells: string[],
  columns: number | null,
  long_columns?: ReadonlySet<number>,
): RowFault | null {
  const bad = cells.findIndex(isSpoiled);
  if (bad >= 0) return { code: 'bad_characters', column: bad + 1 };
  if (cells.length > LIMITS.exported_columns || (columns !== null && cells.length !== columns))
    return { code: 'column_count', column: null };
  const long = cells.findIndex((cell, index) => isTooLong(cell) && !long_columns?.has(index));
  return long < 0 ? null : { code: 'too_long', column: long + 1 };
}

function isTooLong(cell: string): boolean {
  return cell.length * 3 > LIMITS.cell_bytes && Buffer.byteLength(cell) > LIMITS.cell_bytes;
}

/** The cells as a report can keep them: text that a database can store, of a bounded size. */
export function reportable(cells: string[]): string[] {
  return cells
    .slice(0, LIMITS.exported_columns)
    .map((cell) =>
      (isTooLong(cell) ? `${cell.slice(0, KEPT)}…` : cell).replaceAll('\0', '\ufffd').toWellFormed(),
    );
}

/** Takes off what export put before cells that look like formulas. */
export function unguard(cells: string[]): void {
  for (let index = 0; index < cells.length; index += 1) cells[index] = unguardFormula(cells[index]!);
}
