import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { refreshAround } from '../records/figures.ts';
import { askingOf } from '../requests/deciding.ts';
import type { RequestType } from '../requests/kind.ts';
import { ownersOf } from '../requests/owners.ts';
import { decisionShown } from '../requests/shown.ts';
import { ofWorkDate } from '../requests/work-date.ts';
import { overtimeDecisionMail } from './decision-mail.ts';
import { figuresOf, NO_FIGURES } from './figures.ts';
import { plannedMinutes } from './plan.ts';
import {
  type OvertimeRequest,
  OvertimeRequestModel,
  type OvertimeRequestRow,
  overtimeRequestColumns,
  overtimeRequestFacts,
  overtimeRequestKind,
} from './record.ts';

/** Requests to work beyond the schedule. */
export const overtimeRequestType: RequestType<OvertimeRequestRow, OvertimeRequest> = {
  kind: 'overtime_request',
  model: OvertimeRequestModel,
  columns: overtimeRequestColumns,
  records: overtimeRequestKind,
  facts: overtimeRequestFacts,
  ...ofWorkDate(OvertimeRequestModel.tableName),
  show: shownOvertimeRequests,
  takeEffect: refreshDays,
  tell: overtimeDecisionMail.queue,
};

/** What was worked in the time is approved now, and what `ignore_unless_approved` left out may count. */
function refreshDays(work: Work, { member_id, work_date }: OvertimeRequestRow): Promise<void> {
  return refreshAround(work, member_id, { from: work_date, to: work_date });
}

async function shownOvertimeRequests(
  reader: Reader,
  rows: readonly OvertimeRequestRow[],
): Promise<OvertimeRequest[]> {
  if (rows.length === 0) return [];
  const [asking, ownerOf, figures] = await Promise.all([
    askingOf(reader),
    ownersOf(reader, rows),
    figuresOf(reader, rows),
  ]);
  return rows.map((row) => ({
    id: row.id,
    object: 'attendance.overtime_request',
    member_id: row.member_id,
    work_date: row.work_date,
    kind: row.kind,
    planned_start_at: row.planned_start_at,
    planned_end_at: row.planned_end_at,
    planned_minutes: plannedMinutes(row),
    ...(figures.get(row.id) ?? NO_FIGURES),
    reason: row.reason,
    ...decisionShown(
      row,
      { kind: 'overtime_request', first_day: row.work_date },
      ownerOf(row.member_id),
      asking,
    ),
  }));
}
