import { mediaTypeOf } from '../../shared/platform/exports/file.ts';
import { reportCsv } from '../../shared/platform/reports/csv.ts';
import { columnsIn, type ReportRow } from '../../shared/platform/reports/report.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { renderReport } from '../pdf/report/render-report.ts';
import type { Sheet } from '../pdf/report/sheet.ts';
import type { ReportSource, ReportWriter } from './make-report.ts';

/** Writes a report as CSV, row by row while the rows are fetched. */
export const csvWriter: ReportWriter = {
  format: 'csv',
  extension: 'csv',
  media_type: mediaTypeOf,
  async write({ report, order: { asked, language, encoding }, reader, fetch }) {
    const rows = report.rows(reader, asked, language, fetch);
    return { bytes: reportCsv(report, report.columns(asked), rows, encoding).bytes, needs_snapshot: true };
  },
};

/** Reads all rows of a report into memory and renders them as PDF after that; `lines` of a report bounds them. */
export function pdfWriter(renderer: Renderer): ReportWriter {
  return {
    format: 'pdf',
    extension: 'pdf',
    media_type: () => 'application/pdf',
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
