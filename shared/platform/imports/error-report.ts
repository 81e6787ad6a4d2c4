import type { Reader } from '../../kernel/reader.ts';
import { csvLine } from '../exports/csv-line.ts';
import type { ErrorLanguage } from './cell-errors.ts';
import { type KeptError, messageOf } from './queries.ts';

const BATCH = 2_000;

/** The byte-order mark by which spreadsheets know UTF-8. */
const MARK = '\ufeff';

/** The number of a row, and codes. */
const REMARKS = /^\d* [a-z_; ]*$/;

const HEADINGS: Record<ErrorLanguage, readonly string[]> = {
  en: ['row', 'code', 'message'],
  ja: ['行', 'コード', '内容'],
};

/**
 * How many of a file's last columns are remarks of such reports, which whoever mends a file sends along, and none of the
 * people's own: three for each report that it went through. The cells may have been emptied.
 */
export function remarkColumns(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
): number {
  const end = header?.length ?? 0;
  const whole = rows.filter((cells) => cells.length === end);
  const isRemarks = (from: number) =>
    Object.values(HEADINGS).some((names) => names.every((name, place) => header?.[from + place] === name)) &&
    whole.every((cells) => REMARKS.test(cells.slice(from, from + 2).join(' ')));
  let from = end;
  while (from >= 3 && isRemarks(from - 3)) from -= 3;
  return end - from;
}

/**
 * The faulty rows as CSV (RFC 4180), one line a row, with their original columns first, so that the file can be mended
 * and sent again: row number, codes and messages stand behind. `withReader` lends a connection for each batch.
 */
export async function* errorReport(
  withReader: <T>(read: (reader: Reader) => Promise<T>) => Promise<T>,
  import_id: string,
  language: ErrorLanguage,
): AsyncGenerator<Buffer, void, void> {
  const { columns, width } = await withReader((reader) => shapeOf(reader, import_id));
  const header = [...columns, ...blanks(width - columns.length), ...HEADINGS[language]];
  yield Buffer.from(MARK + csvLine(header, 'crlf'));
  let after = '';
  let open: KeptError[] = [];
  for (;;) {
    const rows = await withReader((reader) => errorsAfter(reader, import_id, after));
    const lines: string[] = [];
    for (const row of rows) {
      if (open.length > 0 && open[0]!.row !== row.row) {
        lines.push(reported(open, width, language));
        open = [];
      }
      open.push(row);
    }
    const isLast = rows.length < BATCH;
    if (isLast && open.length > 0) lines.push(reported(open, width, language));
    if (lines.length > 0) yield Buffer.from(lines.join(''));
    if (isLast) return;
    after = rows.at(-1)!.id;
  }
}

async function shapeOf(reader: Reader, import_id: string): Promise<{ columns: string[]; width: number }> {
  const [shape] = await reader.connection.query<{ columns: string[] | null; most: number | null }>(
    `SELECT columns, (SELECT max(jsonb_array_length(cells)) FROM import_errors
        WHERE import_errors.organization_id = imports.organization_id AND import_id = imports.id) AS most
       FROM imports WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, import_id],
  );
  const columns = shape?.columns ?? [];
  return { columns, width: Math.max(columns.length, shape?.most ?? 0) };
}

function errorsAfter(reader: Reader, import_id: string, after: string): Promise<KeptError[]> {
  return reader.connection.query<KeptError>(
    `SELECT id, row, code, "column", message, message_ja, cells FROM import_errors
      WHERE organization_id = $1 AND import_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`,
    [reader.organization_id, import_id, after],
  );
}

function reported(faults: readonly KeptError[], width: number, language: ErrorLanguage): string {
  const { row, cells } = faults[0]!;
  const messages = faults.map((fault) => {
    const text = messageOf(fault, language);
    return fault.column === null ? text : `${fault.column}: ${text}`;
  });
  const codes = faults.map(({ code }) => code).join('; ');
  return csvLine(
    [...cells, ...blanks(width - cells.length), String(row), codes, messages.join('; ')],
    'crlf',
  );
}

function blanks(count: number): string[] {
  return new Array<string>(Math.max(0, count)).fill('');
}
