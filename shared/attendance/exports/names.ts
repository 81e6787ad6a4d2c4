import type { Text } from '../../kernel/language.ts';
import type { Alert } from '../days/alerts.ts';
import type { DayType, WorkSystem } from '../days/types.ts';
import type { LeaveUnit } from '../leave/kinds.ts';

/** What offices call the kinds of days. */
export const dayTypeNames: Readonly<Record<DayType, Text>> = {
  workday: { ja: '平日', en: 'Workday' },
  prescribed_holiday: { ja: '所定休日', en: 'Holiday' },
  legal_holiday: { ja: '法定休日', en: 'Legal hol.' },
};

/** By number, 0 for Sunday. */
export const weekdayLetters: readonly Text[] = [
  { ja: '日', en: 'Sun' },
  { ja: '月', en: 'Mon' },
  { ja: '火', en: 'Tue' },
  { ja: '水', en: 'Wed' },
  { ja: '木', en: 'Thu' },
  { ja: '金', en: 'Fri' },
  { ja: '土', en: 'Sat' },
];

/** What offices call the work systems of the Labour Standards Act. */
export const workSystemNames: Readonly<Record<WorkSystem, Text>> = {
  fixed: { ja: '固定時間制', en: 'Fixed hours' },
  shift: { ja: 'シフト制', en: 'Shifts' },
  flexible: { ja: 'フレックスタイム制', en: 'Flexible hours' },
  discretionary: { ja: '裁量労働制', en: 'Discretionary work' },
  variable_monthly: { ja: '1か月単位の変形労働時間制', en: 'Variable hours (month)' },
  exempt: { ja: '管理監督者', en: 'Exempt (art. 41)' },
};

/** What an alert of a day says to whoever checks the month. */
export const alertNames: Readonly<Record<Alert, Text>> = {
  missing_clock_out: { ja: '退勤漏れ', en: 'No clock-out' },
  open_break: { ja: '休憩終了漏れ', en: 'Break without end' },
  break_closed_by_clock_out: { ja: '退勤で休憩終了', en: 'Break ended by clock-out' },
  no_record: { ja: '打刻なし', en: 'No record' },
  break_shortage: { ja: '休憩不足', en: 'Break too short' },
  auto_break_applied: { ja: '自動休憩', en: 'Automatic break' },
  overtime_not_approved: { ja: '未承認残業', en: 'Overtime not approved' },
  consecutive_days: { ja: '連続勤務', en: 'Many days in a row' },
  short_interval: { ja: '勤務間隔不足', en: 'Short interval' },
  no_legal_holiday: { ja: '法定休日なし', en: 'No legal holiday' },
  recalculating: { ja: '再計算中', en: 'Recalculating' },
};

/** What part of a day a leave takes; hours are counted. */
export const leavePartNames: Readonly<Record<Exclude<LeaveUnit, 'hourly'>, Text>> = {
  full: { ja: '', en: '' },
  half_am: { ja: '（午前）', en: ' (morning)' },
  half_pm: { ja: '（午後）', en: ' (afternoon)' },
};
