import { dayInJapan, minuteInJapan } from '../../kernel/day-in-japan.ts';
import { type RowWriter, rowWriter } from './csv.ts';
import { csvLine } from './csv-line.ts';
import { encodedFile } from './encoded.ts';
import type { ExportColumn } from './exporter.ts';
import type { ExportRequest } from './record.ts';

export type ExportFile = {
  /** The bytes of the file, made of those that COPY sends. */
  bytes(copied: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** Rows so far, the header aside. */
  rows(): number;
  /** How many letters became 〓 so far. */
  replaced(): number;
};

/** A file of these columns below the lines of their headers, in the asked form (RFC 4180). */
export function exportFile(
  columns: readonly Pick<ExportColumn, 'kind'>[],
  headers: readonly (readonly string[])[],
  { encoding, line_ending }: Pick<ExportRequest, 'encoding' | 'line_ending'>,
): ExportFile {
  const writer = rowWriter(
    columns.map(({ kind }) => kind),
    line_ending,
  );
  const encoded = encodedFile(encoding);
  const header = headers.map((line) => csvLine(line, line_ending)).join('');
  return {
    bytes: (copied) => encoded.bytes(header, rowsOf(writer, copied)),
    rows: writer.rows,
    replaced: encoded.replaced,
  };
}

async function* rowsOf(writer: RowWriter, copied: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of copied) yield writer.take(part);
}

/**
 * `連絡先_2026-11-21_0930_3f9x2k.csv`: the minute in Japan, and the end of the job's ID, so that no two files of a day
 * are saved over one another.
 */
export function exportFileName(title: string, now: Date, job_id: string, extension = 'csv'): string {
  return `${title}_${dayInJapan(now)}_${minuteInJapan(now)}_${job_id.slice(-6)}.${extension}`;
}

/** What the file is, for whoever downloads it. */
export function mediaTypeOf({ encoding }: Pick<ExportRequest, 'encoding'>): string {
  return `text/csv; charset=${encoding === 'shift_jis' ? 'Shift_JIS' : 'utf-8'}; header=present`;
}
