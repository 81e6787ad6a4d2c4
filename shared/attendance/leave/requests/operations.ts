import { invalid, notFound } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/id.ts';
import { metadataAfter } from '../../../kernel/own-keys.ts';
import type { Work } from '../../../kernel/work.ts';
import { lockMember } from '../../members/queries.ts';
import { refreshAround } from '../../records/figures.ts';
import { askingOf } from '../../requests/deciding.ts';
import { type RequestAction, requireAction } from '../../requests/transitions.ts';
import { plainSettings, todayOf } from '../../settings/queries.ts';
import { memberOfBody, memberOfPath, type Person } from '../../sight/people.ts';
import { requireOpenMonth } from '../../submissions/closed.ts';
import { leaveOf, type MemberLeave } from '../accounts.ts';
import { notEmployed } from '../refusals.ts';
import { queueDecisionMail } from './decision-mail.ts';
import {
  type LeaveRequest,
  type LeaveRequestInput,
  LeaveRequestModel,
  type LeaveRequestPatch,
  leaveRequestFacts,
} from './record.ts';
import { type LeaveRequestRow, lockRequestRow, requestRow, standingOf, toldOfRequest } from './rows.ts';
import { shownRequests } from './shown.ts';
import { requireFit, requireRoom } from './taking.ts';

/**
 * Asks for leave. The row of the member is locked first, so two requests at once see each other. Errors:
 * `role_required`, `unknown_reference`, `validation_failed`, `month_locked`, `not_employed`, `no_working_day`,
 * `overlapping_request`, `hourly_leave_cap_exceeded`, `insufficient_balance`.
 */
export async function createLeaveRequest(work: Work, input: LeaveRequestInput): Promise<LeaveRequest> {
  const person = await memberOfBody(work, input.member_id);
  await requireEnabled(work, input);
  const end_date = input.end_date ?? input.start_date;
  await lockMember(work, person.id);
  await requireOpenMonth(work, person.id, { from: input.start_date, to: end_date });
  requireEmployed(person, input.start_date, end_date);
  const at = work.now.toISOString();
  const row: LeaveRequestRow = {
    id: newId('lreq', work.now),
    member_id: person.id,
    type: input.type,
    unit: input.unit,
    start_date: input.start_date,
    end_date,
    start_unit: input.unit === 'full' ? (input.start_unit ?? 'full') : null,
    end_unit: input.unit === 'full' ? (input.end_unit ?? 'full') : null,
    start_time: input.start_time,
    hours: input.hours,
    reason: input.reason,
    status: 'pending',
    approver_id: null,
    decided_at: null,
    decision_comment: null,
    created_by: work.actor.user_id,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  requireRoom(await leaveOfMember(work, person.id, row), row);
  work.insert(LeaveRequestModel, row);
  work.record(leaveRequestFacts.created, { before: null, after: toldOfRequest(row) });
  return shownAfter(work, row);
}

/** Errors: `validation_failed` at /unit. */
async function requireEnabled(work: Work, { unit }: LeaveRequestInput): Promise<void> {
  if (unit !== 'hourly' || (await plainSettings(work)).leave.hourly_enabled) return;
  throw invalid('/unit', 'not_enabled', {
    en: 'unit: leave by the hour is not enabled in the settings',
    ja: 'unit：時間単位の休暇は設定で有効になっていません',
  });
}

function requireEmployed({ hired_on, left_on }: Person, start_date: string, end_date: string): void {
  if (hired_on !== null && start_date < hired_on) throw notEmployed(start_date);
  if (left_on !== null && end_date > left_on) throw notEmployed(end_date);
}

async function leaveOfMember(
  work: Work,
  member_id: string,
  { start_date, end_date }: Pick<LeaveRequestRow, 'start_date' | 'end_date'>,
): Promise<MemberLeave> {
  const today = await todayOf(work);
  return (await leaveOf(work, [member_id], { today, from: start_date, to: end_date }))(member_id);
}

/** Approves a request. Errors: `not_found`, `month_locked`, `insufficient_balance`, those of the table. */
export function approveLeaveRequest(work: Work, id: string, comment: string | null): Promise<LeaveRequest> {
  return decide(work, id, { action: 'approve', status: 'approved', comment });
}

/** Rejects a request, with a comment for the member. Errors: `not_found`, those of the table. */
export function rejectLeaveRequest(work: Work, id: string, comment: string): Promise<LeaveRequest> {
  return decide(work, id, { action: 'reject', status: 'rejected', comment });
}

async function decide(
  work: Work,
  id: string,
  {
    action,
    status,
    comment,
  }: { action: RequestAction; status: 'approved' | 'rejected'; comment: string | null },
): Promise<LeaveRequest> {
  const before = await lockFor(work, id, action);
  if (action === 'approve') await requireOpenDays(work, before);
  if (action === 'approve') requireFit(await leaveOfMember(work, before.member_id, before), before);
  const after = save(work, before, {
    ...before,
    status,
    approver_id: work.actor.user_id,
    decided_at: work.now.toISOString(),
    decision_comment: comment,
  });
  await queueDecisionMail(work, after);
  if (status === 'approved') await refreshLeave(work, after);
  return shownAfter(work, after);
}

/** Sees that approved leave touches no closed day. Errors: `month_locked`. */
function requireOpenDays(work: Work, { member_id, start_date, end_date }: LeaveRequestRow): Promise<void> {
  return requireOpenMonth(work, member_id, { from: start_date, to: end_date });
}

/** Takes a request back; its days return. Errors: `not_found`, `month_locked`, those of the table. */
export async function cancelLeaveRequest(work: Work, id: string): Promise<LeaveRequest> {
  const before = await lockFor(work, id, 'cancel');
  if (before.status === 'approved') await requireOpenDays(work, before);
  const after = save(work, before, { ...before, status: 'cancelled' });
  if (before.status === 'approved') await refreshLeave(work, after);
  return shownAfter(work, after);
}

/** The figures of the days that approved leave came to or left, and of those after them that follow from them. */
function refreshLeave(work: Work, { member_id, start_date, end_date }: LeaveRequestRow): Promise<void> {
  return refreshAround(work, member_id, { from: start_date, to: end_date });
}

/** Changes what a client's own systems keep with a request. Errors: `not_found`, `precondition_failed`. */
export async function updateLeaveRequest(
  work: Work,
  id: string,
  patch: LeaveRequestPatch,
): Promise<LeaveRequest> {
  const before = await lockOf(work, id);
  work.precondition(before);
  const changed: LeaveRequestRow = {
    ...before,
    external_id: patch.external_id === undefined ? before.external_id : patch.external_id,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(leaveRequestFacts.updated, toldOfRequest(before), toldOfRequest(changed))) {
    return shownAfter(work, before);
  }
  return shownAfter(work, save(work, before, changed));
}

/** The request of a path, locked behind the row of its member. Errors: `not_found`. */
async function lockOf(work: Work, id: string): Promise<LeaveRequestRow> {
  const found = await requestRow(work, id);
  if (!found) throw notFound();
  await memberOfPath(work, found.member_id);
  await lockMember(work, found.member_id);
  return (await lockRequestRow(work, id))!;
}

/** The same, for an action that the table lets through. */
async function lockFor(work: Work, id: string, action: RequestAction): Promise<LeaveRequestRow> {
  const row = await lockOf(work, id);
  work.precondition(row);
  const [person, { about }] = await Promise.all([memberOfPath(work, row.member_id), askingOf(work)]);
  requireAction(standingOf(row, person.user_id), action, about(person));
  return row;
}

function save(work: Work, before: LeaveRequestRow, changed: LeaveRequestRow): LeaveRequestRow {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, created_at, ...columns } = after;
  work.update(LeaveRequestModel, id, columns);
  work.record(leaveRequestFacts.updated, { before: toldOfRequest(before), after: toldOfRequest(after) });
  return after;
}

/** A request as it is shown once the work's rows are there. */
async function shownAfter(work: Work, row: LeaveRequestRow): Promise<LeaveRequest> {
  await work.flush();
  return (await shownRequests(work, [row]))[0]!;
}
