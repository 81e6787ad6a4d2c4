import { invalid } from '../../../kernel/failure.ts';
import type { Work } from '../../../kernel/work.ts';
import { fileRequest, lockSubject, newRequest } from '../../requests/filing.ts';
import { plainSettings } from '../../settings/queries.ts';
import type { LeaveRequest, LeaveRequestInput } from './record.ts';
import type { LeaveRequestRow } from './rows.ts';
import { leaveOfRequest, requireRoom } from './taking.ts';
import { leaveRequestType } from './type.ts';

/**
 * Asks for leave. The row of the member is locked first, so two requests at once see each other. Errors:
 * `role_required`, `unknown_reference`, `validation_failed`, `month_locked`, `not_employed`, `no_working_day`,
 * `overlapping_request`, `hourly_leave_cap_exceeded`, `insufficient_balance`.
 */
export async function createLeaveRequest(work: Work, input: LeaveRequestInput): Promise<LeaveRequest> {
  const { type, unit, start_date, end_date = start_date, start_time, hours } = input;
  const person = await lockSubject(work, input.member_id, { from: start_date, to: end_date });
  await requireEnabled(work, input);
  const row: LeaveRequestRow = {
    ...newRequest(work, leaveRequestType, person, input),
    type,
    unit,
    start_date,
    end_date,
    start_unit: unit === 'full' ? (input.start_unit ?? 'full') : null,
    end_unit: unit === 'full' ? (input.end_unit ?? 'full') : null,
    start_time,
    hours,
  };
  requireRoom(await leaveOfRequest(work, row), row);
  return fileRequest(work, leaveRequestType, row);
}

/** Errors: `validation_failed` at /unit. */
async function requireEnabled(work: Work, { unit }: LeaveRequestInput): Promise<void> {
  if (unit !== 'hourly' || (await plainSettings(work)).leave.hourly_enabled) return;
  throw invalid('/unit', 'not_enabled', {
    en: 'unit: leave by the hour is not enabled in the settings',
    ja: 'unit：時間単位の休暇は設定で有効になっていません',
  });
}
