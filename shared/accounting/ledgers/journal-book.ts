import type { Reader } from '../../kernel/reader.ts';
import type { AskedReport } from '../../platform/reports/report.ts';
import { contextOf } from '../journals/context.ts';
import { kindGroups } from '../journals/kinds.ts';
import type { Journal } from '../journals/record.ts';
import { evidenceIdsOf, type JournalRow, journalColumns, journalOf, linesOf } from '../journals/rows.ts';
import { type AddValue, lineConditions } from '../reports/figure-statements.ts';
import { type FiguresByAccount, type Sums, sumsOf } from '../reports/figures.ts';
import { readFigures } from '../reports/read-figures.ts';
import { type BookLines, type BookPage, bookConditions, bookLinesOf, notInBook, valuesOf } from './lines.ts';

export type JournalBook = {
  books_revision: number;
  entries: Journal[];
  totals: Sums;
  has_more: boolean;
};

/** Where an entry stands in the book: the number is unique within the year of the day. */
type Place = { date: string; number: number };

/**
 * A page of the journal book: posted entries by date and number, those with a line that the filters leave. The totals are
 * those of the lines in the whole range. Errors: `invalid_cursor`.
 */
export async function readJournalBook(
  reader: Reader,
  asked: AskedReport,
  { limit, starting_after }: BookPage,
): Promise<JournalBook> {
  const lines = await bookLinesOf(reader, asked);
  const place = starting_after === undefined ? null : await placeOf(reader, starting_after);
  const [{ spans, books_revision }, found, context] = await Promise.all([
    readFigures(reader, { spans: { range: { from: lines.from, to: lines.to } }, filter: lines.filter }),
    entriesAfter(reader, lines, place, limit + 1),
    contextOf(reader),
  ]);
  const page = found.slice(0, limit);
  const ids = page.map(({ id }) => id);
  const [linesBy, evidenceBy] = await Promise.all([linesOf(reader, ids), evidenceIdsOf(reader, ids)]);
  return {
    books_revision,
    entries: page.map((row) =>
      journalOf({ row, lines: linesBy(row.id), document_ids: evidenceBy(row.id) }, context),
    ),
    totals: totalsOf(spans.range, lines.with_closing),
    has_more: found.length > limit,
  };
}

function totalsOf(range: FiguresByAccount, with_closing: boolean): Sums {
  const groups = with_closing ? kindGroups : kindGroups.filter((group) => group !== 'closing');
  const sums = [...range.values()].map((figures) => sumsOf(figures, groups));
  return {
    debit: sums.reduce((sum, { debit }) => sum + debit, 0n),
    credit: sums.reduce((sum, { credit }) => sum + credit, 0n),
  };
}

/** Where the entry of a cursor stands. Errors: `invalid_cursor` where it is not posted. */
async function placeOf({ connection, organization_id }: Reader, cursor: string): Promise<Place> {
  const [place] = await connection.query<Place>(
    'SELECT date, number FROM accounting_journals WHERE organization_id = $1 AND id = $2 AND number IS NOT NULL',
    [organization_id, cursor],
  );
  if (!place) throw notInBook(cursor);
  return place;
}

export const BOOK_ORDER = 'ORDER BY journal.date, journal.number';

/** The condition for the entries of a book: posted ones, with a line that the filters leave. */
export function bookEntries({ from, to, filter, with_closing }: BookLines, add: AddValue): string {
  const closing = with_closing ? '' : ` AND journal.kind_group <> 'closing'`;
  const chosen = lineConditions(filter, add, 'chosen');
  const filtered =
    chosen === ''
      ? ''
      : ` AND EXISTS (SELECT FROM accounting_lines AS chosen
       WHERE chosen.organization_id = $1 AND chosen.journal_id = journal.id${chosen})`;
  return `journal.organization_id = $1 AND journal.date BETWEEN ${add(from)} AND ${add(to)}
     AND journal.number IS NOT NULL${closing}${filtered}`;
}

const COLUMNS = journalColumns.map((column) => `journal.${column}`).join(', ');

async function entriesAfter(
  reader: Reader,
  lines: BookLines,
  place: Place | null,
  count: number,
): Promise<JournalRow[]> {
  const { values, add } = valuesOf(reader);
  const after = (table: string) =>
    place
      ? ` AND (${table}.date, ${table}.number) > (${add(place.date)}::date, ${add(place.number)}::int)`
      : '';
  const text =
    lines.filter.account_id === undefined
      ? `SELECT ${COLUMNS} FROM accounting_journals AS journal
          WHERE ${bookEntries(lines, add)}${after('journal')} ${BOOK_ORDER} LIMIT ${add(count)}`
      : // The lines of an account stand in this order already.
        `SELECT ${COLUMNS} FROM (
           SELECT DISTINCT line.date, line.number, line.journal_id FROM accounting_lines AS line
            WHERE ${bookConditions(lines, add)}${after('line')}
            ORDER BY line.date, line.number LIMIT ${add(count)}) AS line
           JOIN accounting_journals AS journal ON journal.organization_id = $1 AND journal.id = line.journal_id
         ${BOOK_ORDER}`;
  return reader.connection.query<JournalRow>(text, values, { prepared: false });
}
