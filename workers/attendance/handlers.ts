import { dailyJob } from '../../shared/attendance/daily/jobs.ts';
import { renderSheetsJob } from '../../shared/attendance/exports/jobs.ts';
import { sheetsFile } from '../../shared/attendance/exports/sheets/read-sheets.ts';
import { recalculateJob } from '../../shared/attendance/recalculation/jobs.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { makeReport } from '../reports/make-report.ts';
import { runDaily } from './daily.ts';
import { recalculateRecords, recalculationHooks } from './recalculate.ts';
import { sheetsWriter } from './sheets/sheets-writer.ts';

type Options = { storage: Storage; database_url: string; renderer: Renderer };

/** The jobs of attendance. */
export function attendanceHandlers({ storage, database_url, renderer }: Options): Handled[] {
  const reports = new Map([[sheetsFile.name as string, sheetsFile]]);
  return [
    handles(dailyJob, runDaily()),
    handles(recalculateJob, recalculateRecords(), recalculationHooks),
    handles(renderSheetsJob, makeReport({ storage, database_url, reports }, sheetsWriter(renderer))),
  ];
}
