import type { Language } from '../../kernel/language.ts';
import { dayOf, weekdayOf, type Zone } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReportColumn, ReportRow } from '../../platform/reports/report.ts';
import { monthDaysOf } from '../months/queries.ts';
import type { AttendanceRecord } from '../records/record.ts';
import { weekdays } from '../settings/fields.ts';
import { approversOf } from './approvers.ts';
import { type AskedExport, spanOf } from './asked.ts';
import { clockText, hoursAndMinutes, leaveDays, leaveText, sessionText } from './cells.ts';
import { alertNames, dayTypeNames, weekdayLetters } from './names.ts';
import { inParts, type PersonOfExport, peopleOf } from './people.ts';
import { personCells, reportColumns, type TextColumn } from './person-columns.ts';
import { notesOf } from './remarks.ts';

/** What a line of a day is made of. */
type Line = {
  record: AttendanceRecord;
  note: string;
  approved_by: string;
  zone: Zone;
  language: Language;
  time: (minutes: number) => string;
};

type DailyColumn = TextColumn & { cell: (line: Line) => string };

type Minutes = keyof AttendanceRecord & `${string}_minutes`;

const text = (name: string, ja: string, cell: DailyColumn['cell']): DailyColumn => {
  return { name, ja, kind: 'text', cell };
};

const minutes = (name: string, ja: string, figure: Minutes): DailyColumn => {
  return { name, ja, kind: 'decimal', cell: ({ record, time }) => time(record[figure]) };
};

/** The columns of a file of days, behind those of the person. */
export const dailyColumns: readonly DailyColumn[] = [
  { name: 'work_date', ja: '日付', kind: 'day', cell: ({ record }) => record.work_date },
  text('weekday', '曜日', weekdayCell),
  text('day_type', '勤務区分', ({ record, language }) =>
    language === 'en' ? record.day_type : dayTypeNames[record.day_type].ja,
  ),
  text('clock_in', '出勤', ({ record: { sessions, work_date }, zone }) => {
    const [first] = sessions;
    return first ? clockText(first.clock_in_at, work_date, zone) : '';
  }),
  text('clock_out', '退勤', ({ record: { sessions, work_date }, zone }) => {
    const end = sessions.at(-1)?.clock_out_at;
    return end ? clockText(end, work_date, zone) : '';
  }),
  text('sessions', '勤務時間帯', ({ record: { sessions, work_date }, zone }) =>
    sessions.map((session) => sessionText(session, work_date, zone)).join(';'),
  ),
  minutes('break', '休憩時間', 'break_minutes'),
  minutes('worked', '実労働時間', 'worked_minutes'),
  minutes('scheduled', '所定内労働', 'scheduled_minutes'),
  minutes('non_statutory_overtime', '法定内残業', 'non_statutory_overtime_minutes'),
  minutes('prescribed_holiday', '所定休日労働', 'prescribed_holiday_minutes'),
  minutes('statutory_overtime', '法定時間外労働', 'statutory_overtime_minutes'),
  minutes('legal_holiday', '法定休日労働', 'legal_holiday_minutes'),
  minutes('night', '深夜労働', 'night_minutes'),
  minutes('night_overtime', '深夜時間外', 'night_statutory_overtime_minutes'),
  minutes('night_holiday', '深夜法定休日', 'night_legal_holiday_minutes'),
  minutes('late', '遅刻', 'late_minutes'),
  minutes('early_leave', '早退', 'early_leave_minutes'),
  text('leave_type', '休暇種別', ({ record: { leave }, language }) =>
    leave.map((one) => (language === 'en' ? one.type : leaveText(one, language))).join(';'),
  ),
  { name: 'leave_days', ja: '休暇日数', kind: 'decimal', cell: ({ record }) => `${leaveDays(record)}` },
  text('alerts', 'アラート', ({ record: { alerts }, language }) =>
    alerts.map((code) => (language === 'en' ? code : alertNames[code].ja)).join(';'),
  ),
  text('note', '備考', ({ note }) => note),
  text('approved_by', '承認者', ({ approved_by }) => approved_by),
];

function weekdayCell({ record, language }: Line): string {
  const weekday = weekdayOf(dayOf(record.work_date));
  return language === 'en' ? weekdays[weekday]! : weekdayLetters[weekday]!.ja;
}

/** The columns of the file, headed in the language that was asked for. */
export function dailyReportColumns({ language }: Pick<AskedExport, 'language'>): ReportColumn[] {
  return reportColumns(dailyColumns, language);
}

/** A line for each member and day, in the order of `employee_code` and date; some members are read at a time. */
export async function* dailyRows(reader: Reader, asked: AskedExport): AsyncGenerator<ReportRow, void, void> {
  const { language, time_format } = asked;
  const span = await spanOf(reader, asked);
  const time = time_format === 'hhmm' ? hoursAndMinutes : String;
  for (const people of inParts(await peopleOf(reader, asked, span))) {
    const ids = people.map(({ id }) => id);
    const [noteOf, approverOf, months] = await Promise.all([
      notesOf(reader, ids, span),
      approversOf(reader, ids, span),
      Promise.all(span.months.map(({ month }) => monthDaysOf(reader, ids, month))),
    ]);
    for (const person of people) {
      const days = months.flatMap((month) => month.get(person.id) ?? []);
      for (const record of days) {
        const { work_date } = record;
        if (work_date < span.from || work_date > span.to) continue;
        const note = noteOf(person.id, work_date);
        const approved_by = approverOf(person.id, work_date);
        const zone = span.zoneOn(work_date);
        yield line(person, { record, note, approved_by, zone, language, time });
      }
    }
  }
}

function line(person: PersonOfExport, said: Line): ReportRow {
  return { type: 'line', cells: [...personCells(person), ...dailyColumns.map(({ cell }) => cell(said))] };
}
