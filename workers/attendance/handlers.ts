import { dailyJob } from '../../shared/attendance/daily/jobs.ts';
import { renderSheetsJob } from '../../shared/attendance/exports/jobs.ts';
import { sheetsFile } from '../../shared/attendance/exports/sheets/read-sheets.ts';
import { recalculateJob } from '../../shared/attendance/recalculation/jobs.ts';
import { inviteBySlackJob } from '../../shared/attendance/slack/jobs.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { makeReport } from '../reports/make-report.ts';
import { runDaily } from './daily.ts';
import { inviteBySlack, slackHooks } from './invite-by-slack.ts';
import { recalculateRecords, recalculationHooks } from './recalculate.ts';
import { sheetsWriter } from './sheets/sheets-writer.ts';

type Options = { storage: Storage; database_url: string; renderer: Renderer; outside: OutsideServices };

/** The jobs of attendance. */
export function attendanceHandlers({ storage, database_url, renderer, outside }: Options): Handled[] {
  const reports = new Map([[sheetsFile.name as string, sheetsFile]]);
  return [
    handles(dailyJob, runDaily()),
    handles(recalculateJob, recalculateRecords(), recalculationHooks),
    handles(renderSheetsJob, makeReport({ storage, database_url, reports }, sheetsWriter(renderer))),
    handles(inviteBySlackJob, inviteBySlack(outside), slackHooks),
  ];
}
