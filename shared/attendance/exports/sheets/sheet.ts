import type { Language, Text } from '../../../kernel/language.ts';
import type { Zone } from '../../../kernel/local-time.ts';
import type { WorkSystem } from '../../days/types.ts';
import type { MemberMonth } from '../../months/queries.ts';
import type { SubmissionStatus } from '../../months/record.ts';
import type { AttendanceRecord } from '../../records/record.ts';
import { workSystemNames } from '../names.ts';
import type { PersonOfExport } from '../people.ts';
import { dayColumns, sheetDay } from './day-columns.ts';
import { groupsOf, sheetLimits } from './figures.ts';
import type { Sheet } from './model.ts';

/** What a page is made of. */
export type SheetSource = {
  organization: string;
  person: PersonOfExport;
  month: MemberMonth;
  days: readonly AttendanceRecord[];
  work_system: WorkSystem;
  /** Who confirmed the month; nothing while it is open. */
  approved_by: string;
  zoneOn: (date: string) => Zone;
  now: Date;
};

const statuses: Readonly<Record<SubmissionStatus, Text>> = {
  none: { ja: '未提出', en: 'Open' },
  submitted: { ja: '提出済み', en: 'Submitted' },
  returned: { ja: '差戻し', en: 'Returned' },
  confirmed: { ja: '確定', en: 'Confirmed' },
  reopened: { ja: '再開', en: 'Reopened' },
};

const labels = {
  title: { ja: '勤務表', en: 'Timesheet' },
  code: { ja: '社員番号', en: 'Code' },
  name: { ja: '氏名', en: 'Name' },
  department: { ja: '部署', en: 'Department' },
  position: { ja: '役職', en: 'Position' },
  period: { ja: '期間', en: 'Period' },
  work_system: { ja: '労働時間制', en: 'Hours' },
  status: { ja: '状態', en: 'Status' },
  approved_by: { ja: '承認者', en: 'Approver' },
  remark: { ja: '休暇・備考', en: 'Leave, remarks' },
  sum: { ja: '合計', en: 'Total' },
} satisfies Record<string, Text>;

/** The boxes in which people set their seals (承認印). */
const seals: readonly Text[] = [
  { ja: '本人', en: 'Member' },
  { ja: '上長', en: 'Manager' },
  { ja: '承認', en: 'Approval' },
];

/** The page of a member and month in a language. */
export function sheetOf(source: SheetSource, language: Language): Sheet {
  const { organization, person, month, days, work_system, approved_by, zoneOn, now } = source;
  const say = (text: Text) => text[language];
  const { start, end } = month.period;
  const between = language === 'ja' ? '〜' : '–';
  const facts: [Text, string | null][] = [
    [labels.code, person.employee_code],
    [labels.name, person.name],
    [labels.department, person.department],
    [labels.position, person.position],
    [labels.period, `${start} ${between} ${end}`],
    [labels.work_system, say(workSystemNames[work_system])],
    [labels.status, say(statuses[month.submission_status])],
    [labels.approved_by, approved_by],
  ];
  return {
    language,
    title: say(labels.title),
    month: monthText(month.month, language),
    organization,
    facts: facts.map(([label, value]) => ({ label: say(label), value: value ?? '' })),
    seals: seals.map(say),
    heads: dayColumns.map(({ head }) => say(head)),
    remark_head: say(labels.remark),
    days: days.map((day) => sheetDay(day, language, zoneOn(day.work_date))),
    sum_label: say(labels.sum),
    sums: dayColumns.map(({ sum }) => sum?.(month.totals) ?? ''),
    groups: groupsOf(month.totals, language),
    limits: sheetLimits(month.limits, language),
    legend: legend(minuteIn(zoneOn(end), now), language),
  };
}

function monthText(month: string, language: Language): string {
  const [year, number] = month.split('-');
  if (language === 'ja') return `${year}年${Number(number)}月`;
  const first = new Date(`${month}-01T00:00:00.000Z`);
  return first.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function legend(made_at: string, language: Language): string {
  return language === 'ja'
    ? `時間は「時:分」。退勤が翌日のときは24時以降の時刻。作成日時 ${made_at}`
    : `Times are hours:minutes; after midnight the clock counts on. Made at ${made_at}`;
}

/** `2026-11-01 09:30`. */
function minuteIn({ name }: Zone, now: Date): string {
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(name);
  return at.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}
