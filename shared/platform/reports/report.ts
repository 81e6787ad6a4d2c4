import type { Reader } from '../../kernel/reader.ts';
import type { DomainName, Scope } from '../../kernel/scope.ts';

export const reportLanguages = ['ja', 'en'] as const;

export type ReportLanguage = (typeof reportLanguages)[number];

/** A text in every language of reports. */
export type Texts = Readonly<Record<ReportLanguage, string>>;

/**
 * What the cells of a column hold, always as text: `yen` a whole number; `decimal` an exact decimal with as many places
 * as it is to show, such as an amount in a currency or a quantity; `percent` a decimal without its sign; `day` is
 * YYYY-MM-DD.
 */
export type ReportColumnKind = 'text' | 'day' | 'yen' | 'decimal' | 'percent';

export type ReportFormat = 'json' | 'csv' | 'pdf';

export type ReportColumn = {
  /** The member in JSON, and the header in a CSV file without titles. */
  name: string;
  kind: ReportColumnKind;
  /** The head of the column in a PDF, and in a CSV file whose language was asked for. */
  title: Texts;
  /** The share of the width of the page. */
  width: number;
  /** Whether its cells are added up, and the sum so far is carried from page to page. */
  is_summed?: boolean;
  /** Whether a PDF leaves a cell of 0 empty: of the two sides of an entry, one says all. */
  is_blank_at_zero?: boolean;
  /** The formats that have the column; all where absent. */
  formats?: readonly ReportFormat[];
};

/**
 * `line` is what is counted and added up; `heading` begins a group; `subtotal` and `total` are set apart. Reports whose
 * sums are more than sums of lines, such as statements with stages, make those rows themselves.
 */
export type ReportRowType = 'heading' | 'line' | 'subtotal' | 'total';

/** One row; `cells` stand in the order of the columns, null where a cell is empty. */
export type ReportRow = { type: ReportRowType; cells: readonly (string | null)[] };

/** What a report is asked for: IDs, days and choices, as the payload of its job holds them. */
export type AskedReport = Readonly<Record<string, string>>;

/** What stands above the table of a PDF; in the language that was asked for. */
export type ReportHead = {
  organization: string;
  facts: readonly { label: string; value: string }[];
  time_zone: string;
};

/** Runs a query and answers its rows one by one: from a cursor where a file is made of them. */
export type FetchRows = <Row extends object>(text: string, values: readonly unknown[]) => AsyncIterable<Row>;

/** A form of file that a report has beside CSV and PDF: a text of its own. */
export type OwnFormat = {
  extension: string;
  media_type: string;
  /** The parts of the text, which is stored in UTF-8 while it is written. */
  write(
    reader: Reader,
    asked: AskedReport,
    language: ReportLanguage,
    fetch: FetchRows,
  ): AsyncIterable<string>;
};

/** What a worker makes a file of: what it is called, and when it is the same. */
export type FileOfRows = {
  name: DomainName;
  scope: Scope;
  title: Texts;
  /**
   * Whether the rows depend on who asks. Then they are read with what that one may do when the file is made, and the file
   * is theirs alone.
   */
  reads_as_asker?: boolean;
  /**
   * `revision` changes when a row would: the same means the same rows. `lines` counts those of the type `line`, or one
   * more than are allowed; where they are too many, a PDF is refused.
   */
  state(reader: Reader, asked: AskedReport): Promise<{ revision: string; lines: number }>;
};

/** A table of figures that a domain describes once, and that is answered as JSON, CSV and PDF. */
export type Report = FileOfRows & {
  /**
   * Whether each line adds up many rows, so that to count the lines costs as much as to read them: JSON then counts what it
   * reads. Its lines are those of one statement, which ends with its order.
   */
  counts_as_it_reads?: boolean;
  /** Whether a CSV file has headings and sums too, whose rows a column of it tells apart; its lines alone where absent. */
  csv_has_sums?: boolean;
  /** Forms of file of its own, by what they are asked for as. */
  formats?: Readonly<Record<string, OwnFormat>>;
  columns(asked: AskedReport): readonly ReportColumn[];
  /** What stands above its table in a PDF; absent where it has none. */
  head?(reader: Reader, asked: AskedReport, language: ReportLanguage): Promise<ReportHead>;
  rows(
    reader: Reader,
    asked: AskedReport,
    language: ReportLanguage,
    fetch: FetchRows,
  ): AsyncIterable<ReportRow>;
  /**
   * The rows by one statement with the columns of the CSV file. The database then writes the cells itself, which costs a
   * fraction of rows that are read one by one: for a report of millions of lines without sums among them.
   */
  csv_rows?(reader: Reader, asked: AskedReport, language: ReportLanguage): Promise<Statement>;
};

/** SQL with `$1`-style values. */
export type Statement = { text: string; values: readonly unknown[] };

/** The places of the columns that a format has, with the columns. */
export function columnsIn(
  columns: readonly ReportColumn[],
  format: ReportFormat,
): { place: number; column: ReportColumn }[] {
  return columns
    .map((column, place) => ({ place, column }))
    .filter(({ column }) => column.formats?.includes(format) ?? true);
}
