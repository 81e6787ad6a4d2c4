import { dayInJapan, minuteInJapan } from '../../kernel/day-in-japan.ts';
import { guardFormula } from '../imports/formula.ts';
import { cp932Encoder, type Encoder } from './cp932.ts';
import { rowWriter } from './csv.ts';
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

/** Bytes that are written together: each write to the store has a fixed cost above that of its bytes. */
const GATHERED = 512 * 1024;

const BYTE_ORDER_MARK = '\ufeff';

/** A file of these columns in the asked form (RFC 4180). */
export function exportFile(
  columns: readonly ExportColumn[],
  { encoding, line_ending }: Pick<ExportRequest, 'encoding' | 'line_ending'>,
): ExportFile {
  const writer = rowWriter(
    columns.map(({ kind }) => kind),
    line_ending,
  );
  const encoder = encoding === 'shift_jis' ? cp932Encoder() : plain;
  const mark = encoding === 'utf-8-bom' ? BYTE_ORDER_MARK : '';
  const header = columns.map((one) => cell(one.header)).join(',');
  return {
    async *bytes(copied) {
      let parts: Uint8Array[] = [
        encoder.take(Buffer.from(`${mark}${header}${line_ending === 'crlf' ? '\r\n' : '\n'}`)),
      ];
      let size = 0;
      for await (const part of copied) {
        const made = encoder.take(writer.take(part));
        parts.push(made);
        size += made.length;
        if (size < GATHERED) continue;
        yield Buffer.concat(parts);
        parts = [];
        size = 0;
      }
      yield Buffer.concat([...parts, encoder.end()]);
    },
    rows: writer.rows,
    replaced: encoder.replaced,
  };
}

const plain: Encoder = { take: (utf8) => utf8, end: () => new Uint8Array(0), replaced: () => 0 };

function cell(text: string): string {
  const guarded = guardFormula(text);
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * `連絡先_2026-11-21_0930_3f9x2k.csv`: the minute in Japan, and the end of the job's ID, so that no two files of a day
 * are saved over one another.
 */
export function exportFileName(title: string, now: Date, job_id: string): string {
  return `${title}_${dayInJapan(now)}_${minuteInJapan(now)}_${job_id.slice(-6)}.csv`;
}

/** What the file is, for whoever downloads it. */
export function mediaTypeOf({ encoding }: Pick<ExportRequest, 'encoding'>): string {
  return `text/csv; charset=${encoding === 'shift_jis' ? 'Shift_JIS' : 'utf-8'}; header=present`;
}
