import { guardFormula } from '../imports/formula.ts';
import type { LineEnding } from './csv.ts';

const ENDS: Record<LineEnding, string> = { crlf: '\r\n', lf: '\n' };

/**
 * A line of a CSV file (RFC 4180) of cells that are given as text. What a spreadsheet would run as a formula has an
 * apostrophe before it; `isNumber` tells the cells that are numbers, whose minus is none.
 */
export function csvLine(
  cells: readonly string[],
  line_ending: LineEnding,
  isNumber: (place: number) => boolean = () => false,
): string {
  const written = cells.map((cell, place) => quoted(isNumber(place) ? cell : guardFormula(cell)));
  return `${written.join(',')}${ENDS[line_ending]}`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
