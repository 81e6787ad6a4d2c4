import { AskedExport } from '../../../shared/attendance/exports/asked.ts';
import type { Sheet } from '../../../shared/attendance/exports/sheets/model.ts';
import { readSheets } from '../../../shared/attendance/exports/sheets/read-sheets.ts';
import { reasonsOfAttendance } from '../../../shared/attendance/failure-reasons.ts';
import type { FileOfRows } from '../../../shared/platform/reports/report.ts';
import { PermanentFailure } from '../../kernel/handler.ts';
import type { Renderer } from '../../pdf/renderer.ts';
import type { ReportWriter } from '../../reports/make-report.ts';
import { renderSheets } from './render-sheets.ts';

/** Reads all pages in one snapshot, and renders them after it. */
export function sheetsWriter(renderer: Renderer): ReportWriter<FileOfRows> {
  return {
    form: () => ({ format: 'pdf', extension: 'pdf', media_type: 'application/pdf' }),
    async write({ reader, order, signal }) {
      const sheets = await readSheets(reader, AskedExport.parse(order.asked));
      if (sheets.length === 0) throw new PermanentFailure(reasonsOfAttendance.no_sheets().en);
      return { bytes: rendered(renderer, sheets, signal), needs_snapshot: false };
    },
  };
}

async function* rendered(
  renderer: Renderer,
  sheets: readonly Sheet[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield await renderSheets(renderer, sheets, signal);
}
