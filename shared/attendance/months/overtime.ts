import { dateOf, dayOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { agreementYearStart } from '../days/agreements.ts';
import type { MonthOfOvertime } from '../days/limits.ts';
import { monthNumber, monthText } from '../days/periods.ts';
import { periodOf } from '../days/rules.ts';
import type { MonthLaid } from './month.ts';

/** Averages look so many months back from a month. */
const AVERAGED = 5;

type Summed = { member_id: string; place: number } & Omit<MonthOfOvertime, 'month'>;

type First = { member_id: string; recorded: string | null; opening: string | null };

/**
 * Overtime and legal holidays of members by month, recorded to a date or taken over, as far back as the limits of a month
 * look. The first month that a member has is always among them. Three statements, however many members.
 */
export async function overtimeOf(
  reader: Reader,
  member_ids: readonly string[],
  laid: MonthLaid,
  as_of: string,
): Promise<Map<string, MonthOfOvertime[]>> {
  const last = monthNumber(laid.month);
  const first = Math.min(
    last - AVERAGED,
    monthNumber(agreementYearStart(laid.agreementOf(laid.month), laid.month)),
  );
  const starts = Array.from({ length: last - first + 1 }, (_, index) =>
    dateOf(laid.rules.periods.ofMonth(first + index).start),
  );
  const to = as_of < laid.period.end ? as_of : laid.period.end;
  const [sums, openings, firsts] = await Promise.all([
    sumsOf(reader, member_ids, starts, to),
    openingsOf(reader, member_ids, monthText(first), laid.month),
    firstsOf(reader, member_ids, to),
  ]);
  const months = new Map<string, MonthOfOvertime[]>();
  const add = (member_id: string, month: string, more?: Omit<MonthOfOvertime, 'month'>) => {
    const own = months.get(member_id) ?? [];
    months.set(member_id, own);
    const known = own.find((one) => one.month === month);
    const row = known ?? { month, statutory_overtime_minutes: 0, legal_holiday_minutes: 0 };
    if (!known) own.push(row);
    row.statutory_overtime_minutes += more?.statutory_overtime_minutes ?? 0;
    row.legal_holiday_minutes += more?.legal_holiday_minutes ?? 0;
  };
  for (const row of sums) add(row.member_id, monthText(first + row.place), row);
  for (const row of openings) {
    if (dateOf(laid.rules.periods.ofMonth(monthNumber(row.month)).start) <= to)
      add(row.member_id, row.month, row);
  }
  for (const { member_id, recorded, opening } of firsts) {
    if (recorded !== null) add(member_id, monthText(periodOf(laid.rules, dayOf(recorded)).month));
    if (opening !== null && opening <= laid.month) add(member_id, opening);
  }
  return months;
}

/** The days with overtime or work on legal holidays, summed up by period: `starts` are the first days of these. */
function sumsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  starts: readonly string[],
  to: string,
): Promise<Summed[]> {
  return connection.query<Summed>(
    `SELECT member_id, width_bucket(work_date, $3::date[]) - 1 AS place,
            sum(statutory_overtime_minutes)::integer AS statutory_overtime_minutes,
            sum(legal_holiday_minutes)::integer AS legal_holiday_minutes
       FROM attendance_records
      WHERE organization_id = $1 AND member_id = ANY ($2) AND work_date BETWEEN ($3::date[])[1] AND $4
        AND (statutory_overtime_minutes > 0 OR legal_holiday_minutes > 0)
      GROUP BY 1, 2`,
    [organization_id, member_ids, starts, to],
  );
}

type Opening = MonthOfOvertime & { member_id: string };

function openingsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  from: string,
  to: string,
): Promise<Opening[]> {
  return connection.query<Opening>(
    `SELECT member_id, month, statutory_overtime_minutes, legal_holiday_minutes FROM attendance_opening_months
      WHERE organization_id = $1 AND member_id = ANY ($2) AND month BETWEEN $3 AND $4`,
    [organization_id, member_ids, from, to],
  );
}

/** The first day that is recorded of each member, and the first month that was taken over. */
function firstsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  to: string,
): Promise<First[]> {
  return connection.query<First>(
    `SELECT asked.member_id, recorded.work_date AS recorded, opening.month AS opening
       FROM unnest($2::text[]) AS asked (member_id)
       LEFT JOIN LATERAL (
         SELECT work_date FROM attendance_records
          WHERE organization_id = $1 AND member_id = asked.member_id AND work_date <= $3
          ORDER BY work_date LIMIT 1) AS recorded ON true
       LEFT JOIN LATERAL (
         SELECT month FROM attendance_opening_months
          WHERE organization_id = $1 AND member_id = asked.member_id
          ORDER BY month LIMIT 1) AS opening ON true`,
    [organization_id, member_ids, to],
  );
}
