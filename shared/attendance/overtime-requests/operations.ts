import { invalid } from '../../kernel/failure.ts';
import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import type { Work } from '../../kernel/work.ts';
import { dayAt } from '../days/rules.ts';
import { rulesAround } from '../records/member-days.ts';
import { fileRequest, lockSubject, newRequest } from '../requests/filing.ts';
import type { OvertimeRequest, OvertimeRequestInput } from './record.ts';
import { overtimeRequestType } from './type.ts';

/**
 * Asks to work beyond the schedule of a day. Errors: `role_required`, `unknown_reference`, `month_locked`, `not_employed`,
 * `validation_failed` at /planned_start_at for a time that begins two days or more off the work date.
 */
export async function createOvertimeRequest(
  work: Work,
  input: OvertimeRequestInput,
): Promise<OvertimeRequest> {
  const { work_date, kind, planned_start_at, planned_end_at, reason } = input;
  const dates = { from: work_date, to: work_date };
  const person = await lockSubject(work, input.member_id, dates);
  const begins = dayAt(await rulesAround(work, dates), minuteOf(planned_start_at));
  if (Math.abs(begins - dayOf(work_date)) > 1) {
    throw invalid('/planned_start_at', 'far_from_work_date', {
      en: 'planned_start_at lies on its work date, or on the day before or after it',
      ja: 'planned_start_at は勤務日の前日から翌日までの日時で指定してください',
    });
  }
  return fileRequest(work, overtimeRequestType, {
    ...newRequest(work, overtimeRequestType, person, input),
    work_date,
    kind,
    planned_start_at,
    planned_end_at,
    reason,
  });
}
