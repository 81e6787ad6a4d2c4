/** How the bytes of a file become text. `shift_jis` is CP932, as Windows writes it. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'shift_jis';

export type Delimiter = 'comma' | 'tab' | 'semicolon';

/** What stands between two cells, by the name that the API uses. */
export const DELIMITERS: Record<Delimiter, string> = { comma: ',', tab: '\t', semicolon: ';' };

/** What a file may hold at most. */
export const LIMITS = {
  rows: 2_000_000,
  columns: 64,
  /** Of an export of ours, which must be taken back: fields, and 200 attributes or 100 fields of an organization. */
  exported_columns: 256,
  /** Bytes of one cell, as UTF-8. */
  cell_bytes: 10_000,
  /** Bytes of one record in the file: what is held in memory while its end is looked for. */
  record_bytes: 1_048_576,
  /** Bytes from the beginning of a file by which the API judges it. */
  head_bytes: 1_048_576,
} as const;

/**
 * What keeps a row from being read as it stands; `column` counts from 1, null where no single one is to blame.
 * `unclosed_quote`: a cell opens with a quote that nothing closes; the row then ends with its line.
 */
export type RowFault = {
  code: 'bad_characters' | 'column_count' | 'too_long' | 'unclosed_quote';
  column: number | null;
};

/** One record of the file. Empty lines and lines of separators alone are not rows. */
export type Row = {
  /** The number that a spreadsheet shows: the first line is 1, lines that are not rows count, line ends inside cells do not. */
  row: number;
  /** As in the file, without quotes and export's apostrophes; cells that are too long are cut. */
  cells: string[];
  fault: RowFault | null;
  /** Bytes from the beginning of the file to the end of the row, its line end included. */
  end: number;
};

/** Where reading begins: a byte of the file at which a line begins, and the number of that line. */
export type Position = { byte: number; row: number };

/** What is wrong with a file as a whole. `byte` counts from 0; null where no place is to blame. */
export type FileFault = { code: 'bad_characters'; message: string; byte: number | null };
