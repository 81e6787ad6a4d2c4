import type { Reader } from '../../kernel/reader.ts';
import type { ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import type { PeriodTotals } from '../days/types.ts';
import { type LeaveType, leaveTypes } from '../leave/kinds.ts';
import { leaveTypeNames } from '../leave/names.ts';
import { monthsOf } from '../months/queries.ts';
import { type AskedExport, spanOf } from './asked.ts';
import { hoursAndMinutes } from './cells.ts';
import { inParts, peopleOf } from './people.ts';
import { personCells, reportColumns, type TextColumn } from './person-columns.ts';

type MonthlyColumn = TextColumn & {
  cell: (totals: PeriodTotals, time: (minutes: number) => string) => string;
};

type Minutes = keyof PeriodTotals & `${string}_minutes`;

const days = (name: string, ja: string, count: (totals: PeriodTotals) => number): MonthlyColumn => {
  return { name, ja, kind: 'decimal', cell: (totals) => String(count(totals)) };
};

const minutes = (name: string, ja: string, figure: Minutes): MonthlyColumn => {
  return { name, ja, kind: 'decimal', cell: (totals, time) => time(totals[figure]) };
};

/** Leave whose name alone would be the header of another column, or read as the sum of all leave. */
const leaveHeaders: Partial<Record<LeaveType, string>> = {
  absence: '届出欠勤日数',
  other: 'その他の休暇日数',
};

/** The columns of a file of months, behind those of the person and the month. */
export const monthlyColumns: readonly MonthlyColumn[] = [
  days('workdays', '所定労働日数', ({ workdays }) => workdays),
  days('attended', '出勤日数', ({ attended_days }) => attended_days),
  days('absence', '欠勤日数', ({ absence_days }) => absence_days),
  ...leaveTypes.map((type) =>
    days(
      `leave_${type}`,
      leaveHeaders[type] ?? `${leaveTypeNames[type].ja}日数`,
      ({ leave_days }) => leave_days[type] ?? 0,
    ),
  ),
  minutes('scheduled', '所定内労働', 'scheduled_minutes'),
  minutes('non_statutory_overtime', '法定内残業', 'non_statutory_overtime_minutes'),
  minutes('prescribed_holiday', '所定休日労働', 'prescribed_holiday_minutes'),
  minutes('statutory_overtime', '法定時間外労働', 'statutory_overtime_minutes'),
  minutes('legal_holiday', '法定休日労働', 'legal_holiday_minutes'),
  minutes('night', '深夜労働', 'night_minutes'),
  minutes('night_overtime', '深夜時間外', 'night_statutory_overtime_minutes'),
  minutes('night_holiday', '深夜法定休日', 'night_legal_holiday_minutes'),
  minutes('premium_25', '25％割増', 'premium_25_minutes'),
  minutes('premium_50', '50％割増', 'premium_50_minutes'),
  minutes('premium_35', '35％割増', 'premium_35_minutes'),
  minutes('late', '遅刻', 'late_minutes'),
  minutes('early_leave', '早退', 'early_leave_minutes'),
];

const monthColumn: TextColumn = { name: 'month', ja: '対象月', kind: 'text' };

/** The columns of the file, headed in the language that was asked for. */
export function monthlyReportColumns({ language }: Pick<AskedExport, 'language'>): ReportColumn[] {
  return reportColumns([monthColumn, ...monthlyColumns], language);
}

/** A line for each member and month that has a day asked for, in the order of `employee_code` and month. */
export async function* monthlyRows(
  reader: Reader,
  asked: AskedExport,
): AsyncGenerator<ReportRow, void, void> {
  const span = await spanOf(reader, asked);
  const time = asked.time_format === 'hhmm' ? hoursAndMinutes : String;
  for (const people of inParts(await peopleOf(reader, asked, span))) {
    const ids = people.map(({ id }) => id);
    const months = await Promise.all(span.months.map(({ month }) => monthsOf(reader, ids, month)));
    for (const person of people) {
      for (const month of months) {
        const own = month.get(person.id);
        if (!own) continue;
        const cells = monthlyColumns.map(({ cell }) => cell(own.totals, time));
        yield { type: 'line', cells: [...personCells(person), own.month, ...cells] };
      }
    }
  }
}
