import type { CellFault } from './domain.ts';

/** What each code of a faulty row means, for whoever mends the file. */
const MESSAGES: Record<string, string> = {
  invalid_email: 'This is not an e-mail address',
  missing_email: 'The row has no e-mail address',
  too_long: 'The cell is too long',
  column_count: 'The row has more or fewer cells than the header',
  bad_characters: 'The row holds characters that cannot be decoded or stored',
  unclosed_quote: 'A cell opens with a quote that is not closed',
};

/** A faulty row's entry; `detail` says more than the code does, where there is more to say. */
export function cellFault(
  row: { row: number; cells: readonly string[] },
  code: string,
  column: string | null,
  detail?: string,
): CellFault {
  const message = detail ?? MESSAGES[code] ?? `The cell is not valid: ${code.replaceAll('_', ' ')}`;
  return { row: row.row, cells: row.cells, code, column, message };
}
