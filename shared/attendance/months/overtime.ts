import { oneOf, rowsOf } from '../../db/one-of.ts';
import { dayOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { agreementYearStart } from '../days/agreements.ts';
import type { MonthOfOvertime } from '../days/limits.ts';
import { monthNumber, monthText, shown } from '../days/periods.ts';
import { periodOf } from '../days/rules.ts';
import type { Period } from '../days/types.ts';
import type { MonthLaid } from './month.ts';

/** Averages look so many months back from a month. */
const AVERAGED = 5;

type Summed = { member_id: string; place: number } & Omit<MonthOfOvertime, 'month'>;

type First = { member_id: string; recorded: string | null; opening: string | null };

/**
 * Overtime and legal holidays of members by month, recorded to a date or taken over, as far back as the limits of a month
 * look. The first month that a member has is among them where averages begin with it. Three statements, however many members.
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
  const periods = Array.from({ length: last - first + 1 }, (_, index) =>
    shown(laid.rules.periods.ofMonth(first + index)),
  );
  const to = as_of < laid.period.end ? as_of : laid.period.end;
  const [sums, openings] = await Promise.all([
    sumsOf(reader, member_ids, periods, to),
    openingsOf(reader, member_ids, periods, to),
  ]);
  const months = new Map<string, Map<string, MonthOfOvertime>>();
  const add = (member_id: string, month: string, more: Omit<MonthOfOvertime, 'month'> = NOTHING) => {
    const own = months.get(member_id) ?? new Map<string, MonthOfOvertime>();
    months.set(member_id, own);
    const { statutory_overtime_minutes, legal_holiday_minutes } = own.get(month) ?? NOTHING;
    own.set(month, {
      month,
      statutory_overtime_minutes: statutory_overtime_minutes + more.statutory_overtime_minutes,
      legal_holiday_minutes: legal_holiday_minutes + more.legal_holiday_minutes,
    });
  };
  for (const row of sums) add(row.member_id, periods[row.place]!.month, row);
  for (const row of openings) add(row.member_id, row.month, row);
  // Nobody looks behind the averages: whoever has a month before these is not asked for the first one.
  const averaged = monthText(last - AVERAGED);
  const unsure = member_ids.filter(
    (id) => ![...(months.get(id)?.keys() ?? [])].some((month) => month <= averaged),
  );
  const firsts = unsure.length === 0 ? [] : await firstsOf(reader, unsure, to);
  for (const { member_id, recorded, opening } of firsts) {
    if (recorded !== null) add(member_id, monthText(periodOf(laid.rules, dayOf(recorded)).month));
    if (opening !== null && opening <= laid.month) add(member_id, opening);
  }
  return new Map([...months].map(([member_id, own]) => [member_id, [...own.values()]]));
}

const NOTHING = { statutory_overtime_minutes: 0, legal_holiday_minutes: 0 };

/** The days with overtime or work on legal holidays, summed up by period. */
function sumsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  periods: readonly Period[],
  to: string,
): Promise<Summed[]> {
  const starts = periods.map(({ start }) => start);
  return connection.query<Summed>(
    `SELECT member_id, width_bucket(work_date, $3::date[]) - 1 AS place,
            sum(statutory_overtime_minutes)::integer AS statutory_overtime_minutes,
            sum(legal_holiday_minutes)::integer AS legal_holiday_minutes
       FROM attendance_records
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND work_date BETWEEN ($3::date[])[1] AND $4
        AND (statutory_overtime_minutes > 0 OR legal_holiday_minutes > 0)
      GROUP BY 1, 2`,
    [organization_id, member_ids, starts, to],
  );
}

type Opening = MonthOfOvertime & { member_id: string };

/**
 * Opening months whose period has begun. One on whose days the member has been there counts by its records alone, however
 * these came: nothing is counted twice.
 */
function openingsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  periods: readonly Period[],
  to: string,
): Promise<Opening[]> {
  return connection.query<Opening>(
    `SELECT opening.member_id, opening.month, opening.statutory_overtime_minutes, opening.legal_holiday_minutes
       FROM attendance_opening_months AS opening
       JOIN unnest($3::text[], $4::date[], $5::date[]) AS period (month, first, last)
         ON period.month = opening.month AND period.first <= $6
      WHERE opening.organization_id = $1 AND opening.member_id = ${oneOf('$2')} AND NOT EXISTS (
        SELECT FROM attendance_records AS record
         WHERE record.organization_id = $1 AND record.member_id = opening.member_id AND record.has_presence
           AND record.work_date BETWEEN period.first AND period.last)`,
    [
      organization_id,
      member_ids,
      periods.map(({ month }) => month),
      periods.map(({ start }) => start),
      periods.map(({ end }) => end),
      to,
    ],
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
       FROM ${rowsOf('$2')} AS asked (member_id)
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
