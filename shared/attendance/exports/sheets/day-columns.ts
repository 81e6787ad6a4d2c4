import type { Language, Text } from '../../../kernel/language.ts';
import { dayOf, weekdayOf, type Zone } from '../../../kernel/local-time.ts';
import type { PeriodTotals } from '../../days/types.ts';
import type { AttendanceRecord } from '../../records/record.ts';
import { clockText, hoursAndMinutes, leaveText } from '../cells.ts';
import { alertNames, dayTypeNames, weekdayLetters } from '../names.ts';
import type { SheetDay } from './model.ts';

export type DayColumn = {
  head: Text;
  cell: (record: AttendanceRecord, language: Language, zone: Zone) => string;
  /** What stands below the days. */
  sum?: (totals: PeriodTotals) => string;
};

type Minutes = keyof PeriodTotals & keyof AttendanceRecord & `${string}_minutes`;

/** A column of minutes: a day without any is left empty, so that what there is stands out. */
function minutes(name: Minutes, ja: string, en: string): DayColumn {
  return {
    head: { ja, en },
    cell: (record) => (record[name] === 0 ? '' : hoursAndMinutes(record[name])),
    sum: (totals) => hoursAndMinutes(totals[name]),
  };
}

/** The columns of a month's days, in their order. */
export const dayColumns: readonly DayColumn[] = [
  { head: { ja: '日', en: 'Day' }, cell: ({ work_date }) => shortDate(work_date) },
  {
    head: { ja: '曜', en: '' },
    cell: ({ work_date }, language) => weekdayLetters[weekdayOf(dayOf(work_date))]![language],
  },
  { head: { ja: '区分', en: 'Kind' }, cell: ({ day_type }, language) => dayTypeNames[day_type][language] },
  { head: { ja: '出勤', en: 'In' }, cell: firstClockIn },
  { head: { ja: '退勤', en: 'Out' }, cell: lastClockOut },
  minutes('break_minutes', '休憩', 'Break'),
  minutes('worked_minutes', '実働', 'Worked'),
  minutes('scheduled_minutes', '所定内', 'Sched.'),
  minutes('non_statutory_overtime_minutes', '法定内\n残業', 'Non-\nstat.'),
  minutes('statutory_overtime_minutes', '法定外\n残業', 'Over-\ntime'),
  minutes('prescribed_holiday_minutes', '所定\n休日', 'Holi-\nday'),
  minutes('legal_holiday_minutes', '法定\n休日', 'Legal\nhol.'),
  minutes('night_minutes', '深夜', 'Night'),
  minutes('late_minutes', '遅刻', 'Late'),
  minutes('early_leave_minutes', '早退', 'Early'),
];

/** A day as a line of the page. */
export function sheetDay(record: AttendanceRecord, language: Language, zone: Zone): SheetDay {
  const { day_type, alerts, leave } = record;
  const said = [
    ...leave.map((one) => leaveText(one, language)),
    ...alerts.map((code) => alertNames[code][language]),
  ];
  return {
    day_type,
    cells: dayColumns.map(({ cell }) => cell(record, language, zone)),
    remark: said.join(language === 'ja' ? '、' : ', '),
    is_marked: alerts.length > 0,
  };
}

/** `11/05`; the head of the page has the year. */
function shortDate(date: string): string {
  return `${date.slice(5, 7)}/${date.slice(8)}`;
}

function firstClockIn({ sessions, work_date }: AttendanceRecord, _: Language, zone: Zone): string {
  const first = sessions[0];
  return first ? clockText(first.clock_in_at, work_date, zone) : '';
}

function lastClockOut({ sessions, work_date }: AttendanceRecord, _: Language, zone: Zone): string {
  const last = sessions.at(-1)?.clock_out_at;
  return last ? clockText(last, work_date, zone) : '';
}
