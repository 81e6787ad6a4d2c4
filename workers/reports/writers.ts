import { copyOf } from '../../shared/db/literal.ts';
import { encodedFile } from '../../shared/platform/exports/encoded.ts';
import { mediaTypeOf } from '../../shared/platform/exports/file.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import { copiedCsv, reportCsv } from '../../shared/platform/reports/csv.ts';
import {
  columnsIn,
  type OwnFormat,
  type Report,
  type ReportRow,
} from '../../shared/platform/reports/report.ts';
import { PermanentFailure } from '../kernel/handler.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { renderReport } from '../pdf/report/render-report.ts';
import type { Sheet } from '../pdf/report/sheet.ts';
import type { ReportSource, ReportWriter } from './make-report.ts';

/** Writes a report as a text, CSV or one of its own, row by row while the rows are fetched. */
export const textWriter: ReportWriter = {
  form(report, order) {
    if (order.format === 'csv') return { format: 'csv', extension: 'csv', media_type: mediaTypeOf(order) };
    const { extension, media_type } = ownFormat(report, order.format);
    return { format: order.format, extension, media_type };
  },
  async write({ report, order, reader, fetch, copy }) {
    const { asked, language, format } = order;
    if (format !== 'csv') {
      const text = ownFormat(report, format).write(reader, asked, language, fetch);
      return { bytes: encodedFile('utf-8').bytes('', asBytes(text)), needs_snapshot: true };
    }
    const columns = report.columns(asked);
    if (report.csv_rows) {
      const copied = copy(copyOf(await report.csv_rows(reader, asked, language)));
      return { bytes: copiedCsv(columns, copied, order), needs_snapshot: true };
    }
    const rows = report.rows(reader, asked, language, fetch);
    return { bytes: reportCsv(report, columns, rows, order).bytes, needs_snapshot: true };
  },
};

function ownFormat({ name, formats = {} }: Report, format: string): OwnFormat {
  const own = formats[format];
  if (!own) throw new PermanentFailure(reasons.unknown_to_release(`${name} ${format}`).en);
  return own;
}

async function* asBytes(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, void> {
  for await (const part of text) yield Buffer.from(part);
}

/** Reads all rows of a report into memory and renders them as PDF after that; `lines` of a report bounds them. */
export function pdfWriter(renderer: Renderer): ReportWriter {
  return {
    form: () => ({ format: 'pdf', extension: 'pdf', media_type: 'application/pdf' }),
    async write(source) {
      const sheet = await sheetOf(source);
      return { bytes: rendered(renderer, sheet, source.signal), needs_snapshot: false };
    },
  };
}

async function* rendered(renderer: Renderer, sheet: Sheet, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield await renderReport(renderer, sheet, signal);
}

async function sheetOf({ report, order, reader, fetch }: ReportSource): Promise<Sheet> {
  const { asked, language } = order;
  const shown = columnsIn(report.columns(asked), 'pdf');
  if (!report.head) throw new PermanentFailure(reasons.unknown_to_release(`${report.name} pdf`).en);
  const head = await report.head(reader, asked, language);
  const rows: ReportRow[] = [];
  for await (const { type, cells } of report.rows(reader, asked, language, fetch)) {
    rows.push({ type, cells: shown.map(({ place }) => cells[place] ?? null) });
  }
  return {
    language,
    title: report.title[language],
    head,
    made_at: minuteIn(head.time_zone, reader.now),
    columns: shown.map(({ column }) => column),
    rows,
  };
}

/** `2026-06-15 05:00`. */
function minuteIn(time_zone: string, instant: Date): string {
  const { year, month, day, hour, minute } = Temporal.Instant.fromEpochMilliseconds(
    instant.getTime(),
  ).toZonedDateTimeISO(time_zone);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}
