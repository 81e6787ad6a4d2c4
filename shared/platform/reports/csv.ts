import { csvLine } from '../exports/csv-line.ts';
import { type EncodedFile, encodedFile } from '../exports/encoded.ts';
import { exportFile } from '../exports/file.ts';
import type { ExportRequest } from '../exports/record.ts';
import { columnsIn, type Report, type ReportColumn, type ReportRow } from './report.ts';

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
  encoding: ExportRequest['encoding'],
): { bytes: AsyncGenerator<Uint8Array, void, void>; replaced: EncodedFile['replaced'] } {
  const shown = columnsIn(columns, 'csv');
  const header = csvLine(
    shown.map(({ column }) => column.name),
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
  encoding: ExportRequest['encoding'],
): AsyncGenerator<Uint8Array> {
  const shown = columnsIn(columns, 'csv').map(({ column }) => column);
  const kinds = shown.map(
    ({ kind }) => ({ kind: kind === 'text' || kind === 'day' ? kind : 'number' }) as const,
  );
  const headers = shown.map(({ name }) => name);
  return exportFile(kinds, [headers], { encoding, line_ending: 'crlf' }).bytes(copied);
}
