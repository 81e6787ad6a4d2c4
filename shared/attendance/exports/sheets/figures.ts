import type { Language, Text } from '../../../kernel/language.ts';
import type { Limits } from '../../days/limits.ts';
import type { PeriodTotals } from '../../days/types.ts';
import { type LeaveType, leaveTypes } from '../../leave/kinds.ts';
import { leaveTypeNames } from '../../leave/names.ts';
import { capital, hoursAndMinutes } from '../cells.ts';
import type { Figure, SheetLimits } from './model.ts';

type Minutes = Exclude<keyof PeriodTotals & `${string}_minutes`, undefined>;

type Line = readonly [Minutes, Text];

const times: readonly Line[] = [
  ['presence_minutes', { ja: '在社', en: 'Presence' }],
  ['worked_minutes', { ja: '実働', en: 'Worked' }],
  ['break_minutes', { ja: '休憩', en: 'Breaks' }],
  ['unworked_gap_minutes', { ja: '中断', en: 'Gaps' }],
  ['ignored_minutes', { ja: '打刻切り捨て', en: 'Ignored' }],
  ['daily_overtime_minutes', { ja: '法定外（1日の超過）', en: 'Overtime (day)' }],
  ['weekly_overtime_minutes', { ja: '法定外（1週の超過）', en: 'Overtime (week)' }],
  ['night_statutory_overtime_minutes', { ja: '深夜（法定外）', en: 'Night overtime' }],
  ['night_legal_holiday_minutes', { ja: '深夜（法定休日）', en: 'Night legal holiday' }],
  ['absence_minutes', { ja: '欠勤時間', en: 'Absence' }],
];

const premiums: readonly Line[] = [
  ['premium_25_minutes', { ja: '25％割増', en: '25 %' }],
  ['premium_50_minutes', { ja: '50％割増', en: '50 %' }],
  ['premium_35_minutes', { ja: '35％割増', en: '35 %' }],
  ['rounded_overtime_minutes', { ja: '端数処理後：法定外', en: 'Rounded overtime' }],
  ['rounded_legal_holiday_minutes', { ja: '端数処理後：法定休日', en: 'Rounded legal holiday' }],
  ['rounded_night_minutes', { ja: '端数処理後：深夜', en: 'Rounded night' }],
];

const flexible: readonly (readonly [keyof NonNullable<PeriodTotals['flexible']>, Text])[] = [
  ['required_minutes', { ja: 'フレックス：所定', en: 'Flexible: required' }],
  ['worked_minutes', { ja: 'フレックス：実働', en: 'Flexible: worked' }],
  ['balance_minutes', { ja: 'フレックス：過不足', en: 'Flexible: balance' }],
  ['limit_minutes', { ja: 'フレックス：法定総枠', en: 'Flexible: limit' }],
];

/** The groups of figures below the days. */
export function groupsOf(totals: PeriodTotals, language: Language): { title: string; figures: Figure[] }[] {
  const say = (text: Text) => text[language];
  const { flexible: balance } = totals;
  const lines = (all: readonly Line[]) =>
    all.map(([name, label]) => ({ label: say(label), value: hoursAndMinutes(totals[name]) }));
  return [
    { title: say({ ja: '日数', en: 'Days' }), figures: daysOf(totals, language) },
    { title: say({ ja: '時間', en: 'Time' }), figures: lines(times) },
    {
      title: say({ ja: '割増賃金の対象', en: 'Premiums' }),
      figures: [
        ...lines(premiums),
        ...(balance
          ? flexible.map(([name, label]) => ({ label: say(label), value: signed(balance[name]) }))
          : []),
      ],
    },
  ];
}

/** A balance of flexible hours may be short of what is owed. */
function signed(minutes: number): string {
  return minutes < 0 ? `-${hoursAndMinutes(-minutes)}` : hoursAndMinutes(minutes);
}

function daysOf(
  { workdays, attended_days, absence_days, leave_days }: PeriodTotals,
  language: Language,
): Figure[] {
  const days = (count: number) => (language === 'ja' ? `${count}日` : `${count}`);
  const taken = leaveTypes.filter((type: LeaveType) => (leave_days[type] ?? 0) > 0);
  const say = (text: Text) => text[language];
  return [
    { label: say({ ja: '所定労働日数', en: 'Workdays' }), value: days(workdays) },
    { label: say({ ja: '出勤日数', en: 'Attended' }), value: days(attended_days) },
    { label: say({ ja: '欠勤日数', en: 'Absent' }), value: days(absence_days) },
    ...taken.map((type) => ({ label: capital(say(leaveTypeNames[type])), value: days(leave_days[type]!) })),
  ];
}

const levels: Readonly<Record<Limits['level'], Text>> = {
  ok: { ja: '範囲内', en: 'Within limits' },
  warning: { ja: '注意', en: 'Warning' },
  violation: { ja: '超過', en: 'Exceeded' },
};

/** How a month stands against article 36 (36協定); `limits` null: exempt. */
export function sheetLimits(limits: Limits | null, language: Language): SheetLimits {
  const say = (text: Text) => text[language];
  const title = say({ ja: '36協定', en: 'Article 36 agreement' });
  if (!limits) {
    const none = { label: say({ ja: '上限', en: 'Limits' }), value: say({ ja: '対象外', en: 'None' }) };
    return { title, figures: [none], heads: [], tests: [] };
  }
  const figures: (readonly [Text, string])[] = [
    [{ ja: '状況', en: 'Level' }, say(levels[limits.level])],
    [{ ja: '時間外＋法定休日', en: 'Overtime + legal holiday' }, hoursAndMinutes(limits.month_total_minutes)],
    [{ ja: '年度の時間外', en: 'Overtime of the year' }, hoursAndMinutes(limits.year_overtime_minutes)],
    [{ ja: '45時間超の月数', en: 'Months over 45 h' }, `${limits.months_over_45h}`],
    [{ ja: '月末の見込み', en: 'Projected at the end' }, hoursAndMinutes(limits.projected_month_end_minutes)],
    [{ ja: '残り', en: 'Left' }, hoursAndMinutes(limits.minutes_left)],
  ];
  const heads = [
    { ja: '判定', en: 'Test' },
    { ja: '実績', en: 'Used' },
    { ja: '上限', en: 'Limit' },
    { ja: '残り', en: 'Left' },
    { ja: '平均', en: 'Average' },
  ].map(say);
  return {
    title,
    figures: figures.map(([label, value]) => ({ label: say(label), value })),
    heads,
    tests: limits.tests.map(({ test, used_minutes, limit_minutes, left_minutes }) => [
      testName(test, language),
      hoursAndMinutes(used_minutes),
      hoursAndMinutes(limit_minutes),
      signed(left_minutes),
      averageOf(test, limits),
    ]),
  };
}

const testNames: Readonly<Record<string, Text>> = {
  month: { ja: '月', en: 'Month' },
  year: { ja: '年', en: 'Year' },
  total: { ja: '月の合計', en: 'In all' },
};

function averageOf(test: string, { averages }: Limits): string {
  const average = averages[monthsIn(test) ?? ''];
  return average === undefined ? '' : hoursAndMinutes(average);
}

/** Over how many months a test takes the average: `average_3`. */
function monthsIn(test: string): string | undefined {
  return /^average_(\d)$/.exec(test)?.[1];
}

function testName(test: string, language: Language): string {
  const months = monthsIn(test);
  if (months) return language === 'ja' ? `${months}か月平均` : `${months} months`;
  return testNames[test]?.[language] ?? test;
}
