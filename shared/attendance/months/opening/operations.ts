import { Failure, type FieldError, invalidAll } from '../../../kernel/failure.ts';
import { dateOf } from '../../../kernel/local-time.ts';
import { isSameJson } from '../../../kernel/same-json.ts';
import type { Work } from '../../../kernel/work.ts';
import { monthNumber } from '../../days/periods.ts';
import { lockMember } from '../../members/queries.ts';
import { memberOfPath, requireManagement } from '../../sight/people.ts';
import { closedPeriodsOf, monthLocked } from '../../submissions/closed.ts';
import { laidFor, type MonthLaid, presentMonth } from '../month.ts';
import type { OpeningMonth } from '../record.ts';
import { openingRows } from './queries.ts';
import { openingFacts } from './record.ts';

/**
 * Replaces the opening months of a member; answers them in their order. The row of the member is locked, as every writer of
 * records does, so no record comes between. Errors: `not_found`, `role_required`, `month_locked` for closed months that change,
 * `already_recorded` for months with records that are new or changed, `validation_failed` at /items/n/month for one that is
 * there twice or lies ahead.
 */
export async function putOpeningMonths(
  work: Work,
  member_id: string,
  sent: readonly OpeningMonth[],
): Promise<OpeningMonth[]> {
  await memberOfPath(work, member_id);
  requireManagement(work);
  await lockMember(work, member_id);
  const laid = await laidFor(work, await presentMonth(work));
  requireMonths(sent, laid.month);
  const before = await openingRows(work, member_id);
  const items = sent.toSorted((one, other) => (one.month < other.month ? -1 : 1));
  if (isSameJson(before, items)) {
    work.nothingChanged();
    return items;
  }
  const changed = items.filter((item) => !before.some((row) => isSameJson(row, item)));
  const gone = before.filter((row) => !items.some((item) => isSameJson(row, item)));
  await requireOpen(
    work,
    member_id,
    [...changed, ...gone].map(({ month }) => month),
  );
  await requireUnrecorded(work, member_id, laid, changed);
  work.run('DELETE FROM attendance_opening_months WHERE organization_id = $1 AND member_id = $2', [
    work.organization_id,
    member_id,
  ]);
  work.run(
    `INSERT INTO attendance_opening_months
       (organization_id, member_id, month, statutory_overtime_minutes, legal_holiday_minutes)
     SELECT $1, $2, item.month, item.statutory_overtime_minutes, item.legal_holiday_minutes
       FROM jsonb_to_recordset($3::jsonb) AS item (
         month text, statutory_overtime_minutes integer, legal_holiday_minutes integer)`,
    [work.organization_id, member_id, JSON.stringify(items)],
  );
  work.record(openingFacts.updated, { before: told(member_id, before), after: told(member_id, items) });
  return items;
}

/** As the audit log tells them: under the ID of the member. */
function told(member_id: string, items: readonly OpeningMonth[]) {
  return { id: member_id, object: 'attendance.opening_months', items: [...items] };
}

function requireMonths(items: readonly OpeningMonth[], present: string): void {
  const faults = items.flatMap(({ month }, index): FieldError[] => {
    const path = `/items/${index}/month`;
    if (month > present) {
      const message = {
        en: `The month must not lie after ${present}`,
        ja: `${present} より後の月は指定できません`,
      };
      return [{ in: 'body', path, code: 'future_month', message }];
    }
    if (items.findIndex((other) => other.month === month) === index) return [];
    const message = { en: 'The month is there already', ja: '同じ月が重複しています' };
    return [{ in: 'body', path, code: 'duplicate', message }];
  });
  if (faults.length > 0) throw invalidAll(faults);
}

/** Errors: `month_locked`. */
async function requireOpen(work: Work, member_id: string, months: readonly string[]): Promise<void> {
  const closed = (await closedPeriodsOf(work, [member_id])).get(member_id)!;
  const period = closed.find(({ month }) => months.includes(month));
  if (period) throw monthLocked(period.month, period.start);
}

/** Errors: `already_recorded`, with the months. */
async function requireUnrecorded(
  { connection, organization_id }: Work,
  member_id: string,
  { rules }: MonthLaid,
  items: readonly OpeningMonth[],
): Promise<void> {
  const periods = items.map(({ month }) => rules.periods.ofMonth(monthNumber(month)));
  const rows = await connection.query<{ month: string }>(
    `SELECT period.month FROM unnest($3::text[], $4::date[], $5::date[]) AS period (month, first, last)
      WHERE EXISTS (
        SELECT FROM attendance_records
         WHERE organization_id = $1 AND member_id = $2 AND work_date BETWEEN period.first AND period.last)
      ORDER BY period.month`,
    [
      organization_id,
      member_id,
      items.map(({ month }) => month),
      periods.map(({ start }) => dateOf(start)),
      periods.map(({ end }) => dateOf(end)),
    ],
  );
  if (rows.length === 0) return;
  const months = rows.map(({ month }) => month);
  throw new Failure('already_recorded', {
    detail: {
      en: `${months.join(', ')}: there are records already`,
      ja: `${months.join('、')}：すでに勤怠の記録があります`,
    },
    members: { months },
  });
}
