import { csvLine } from '../exports/csv-line.ts';
import { type EncodedFile, encodedFile } from '../exports/encoded.ts';
import { exportFile } from '../exports/file.ts';
import type { ReportOrder } from './jobs.ts';
import { columnsIn, type Report, type ReportColumn, type ReportRow } from './report.ts';

/** How a file is written; `titled` ones have the titles of their columns above them. */
type CsvForm = Pick<ReportOrder, 'encoding' | 'language' | 'titled'>;

/** Rows that become one part of the file. */
const BATCH = 1_000;

/**
 * A CSV file of a report: its lines alone, since a sum among them would be added to them by whoever reads the file; with
 * its sums where the report says so.
 */
export function reportCsv(
  { csv_has_sums = false }: Pick<Report, 'csv_has_sums'>,
  columns: readonly ReportColumn[],
  rows: AsyncIterable<ReportRow>,
  { encoding, language, titled }: CsvForm,
): { bytes: AsyncGenerator<Uint8Array, void, void>; replaced: EncodedFile['replaced'] } {
  const shown = columnsIn(columns, 'csv');
  const header = csvLine(
    headersOf(
      shown.map(({ column }) => column),
      { language, titled },
    ),
    'crlf',
  );
  const isNumber = (place: number) => !['text', 'day'].includes(shown[place]!.column.kind);
  const file = encodedFile(encoding);
  return { bytes: file.bytes(header, written()), replaced: file.replaced };

  async function* written(): AsyncGenerator<Uint8Array, void, void> {
    let lines: string[] = [];
    for await (const { type, cells } of rows) {
      if (type !== 'line' && !csv_has_sums) continue;
      lines.push(
        csvLine(
          shown.map(({ place }) => cells[place] ?? ''),
          'crlf',
          isNumber,
        ),
      );
      if (lines.length < BATCH) continue;
      yield Buffer.from(lines.join(''));
      lines = [];
    }
    yield Buffer.from(lines.join(''));
  }
}

/** A CSV file of a report whose cells the database wrote: `copied` is what COPY sends of its CSV columns. */
export function copiedCsv(
  columns: readonly ReportColumn[],
  copied: AsyncIterable<Uint8Array>,
  { encoding, language, titled }: CsvForm,
): AsyncGenerator<Uint8Array> {
  const shown = columnsIn(columns, 'csv').map(({ column }) => column);
  const kinds = shown.map(
    ({ kind }) => ({ kind: kind === 'text' || kind === 'day' ? kind : 'number' }) as const,
  );
  const headers = headersOf(shown, { language, titled });
  return exportFile(kinds, [headers], { encoding, line_ending: 'crlf' }).bytes(copied);
}

/** The members in JSON, or their titles; one that several columns have tells none of them. */
function headersOf(
  columns: readonly ReportColumn[],
  { language, titled = false }: Pick<CsvForm, 'language' | 'titled'>,
): string[] {
  const titles = columns.map(({ title }) => title[language]);
  return columns.map(({ name }, place) => {
    const title = titles[place]!;
    const isOwn = title !== '' && titles.indexOf(title) === titles.lastIndexOf(title);
    return titled && isOwn ? title : name;
  });
}
