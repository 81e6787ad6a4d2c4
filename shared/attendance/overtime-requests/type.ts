import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { daysToRead } from '../days/reach.ts';
import { requireClosedUnchanged } from '../records/closed-days.ts';
import { refreshAround } from '../records/figures.ts';
import { memberDaysOf, rulesAround } from '../records/member-days.ts';
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
  requireApprovable: requireClosedDaysUnchanged,
  takeEffect: refreshDays,
  tell: overtimeDecisionMail.queue,
};

/**
 * Sees that minutes which count once they are approved are on no day of a closed period: the head of a session may reach back
 * to a legal holiday before its work date. Errors: `month_locked`.
 */
async function requireClosedDaysUnchanged(work: Work, row: OvertimeRequestRow): Promise<void> {
  const dates = { from: daysLater(row.work_date, -DAYS_AROUND), to: daysLater(row.work_date, DAYS_AROUND) };
  const rules = await rulesAround(work, dates);
  const members = await memberDaysOf(work, [row.member_id], daysToRead(rules, dates));
  const before = members.get(row.member_id)!;
  const after = { ...before, overtime: [...before.overtime, row] };
  requireClosedUnchanged({ rules, before, after, dates });
}

/** Overtime begins a day before its work date at the earliest, and its session lasts two days. */
const DAYS_AROUND = 2;

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
