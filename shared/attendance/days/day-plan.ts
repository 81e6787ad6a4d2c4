import { dateOf, dayOf, minuteAt, startOfDay, weekdayOf } from '../../kernel/local-time.ts';
import { rowOn } from './dated-rows.ts';
import { type Interval, intersect } from './intervals.ts';
import { afterLeave } from './leave-of-day.ts';
import { type Rules, type SettingsOfDays, settingsOfDays, settingsOn, startOf } from './rules.ts';
import { onDay, type ScheduleTimes, timesOf } from './schedule-times.ts';
import type {
  DatedTerms,
  DayType,
  FrozenDay,
  LeaveOfDay,
  MemberDays,
  RosterDay,
  WorkSystem,
} from './types.ts';

/** What a day asks of a member before anybody punches. Times are minutes since 1970. */
export type DayPlan = {
  day: number;
  date: string;
  settings: SettingsOfDays;
  /** From the day's beginning to that of the next one. */
  start: number;
  end: number;
  /** When the night before ends (05:00) and the one after begins (22:00). */
  night_end: number;
  night_start: number;
  day_type: DayType;
  system: WorkSystem;
  terms: DatedTerms | null;
  is_employed: boolean;
  times: ScheduleTimes | null;
  /** The schedule's breaks, on every day; window and scheduled minutes on workdays alone. */
  breaks: Interval[];
  window: Interval | null;
  /** What leave left of the window. */
  left: Interval | null;
  scheduled: Interval[];
  core: Interval[];
  leave: readonly LeaveOfDay[];
  leave_minutes: number;
  /** S and Q of the rules: the `minutes` of a workday, and those less what leave takes. */
  schedule_minutes: number;
  required_minutes: number;
  /** As the period of the day was closed with. */
  frozen: FrozenDay | null;
};

const NIGHT_END = 5 * 60;
const NIGHT_START = 22 * 60;

/** A member's rows made ready. */
export type MemberPlans = {
  rules: Rules;
  first: number;
  last: number;
  terms: readonly (DatedTerms & { from: number })[];
  roster: ReadonlyMap<number, RosterDay>;
  leave: ReadonlyMap<number, readonly LeaveOfDay[]>;
  frozen: ReadonlyMap<number, FrozenDay>;
  plans: Map<number, DayPlan>;
};

/** Makes ready what one member brings besides sessions. */
export function plansOf(rules: Rules, member: Omit<MemberDays, 'sessions' | 'overtime'>): MemberPlans {
  return {
    rules,
    first: member.hired_on === null ? Number.NEGATIVE_INFINITY : dayOf(member.hired_on),
    last: member.left_on === null ? Number.POSITIVE_INFINITY : dayOf(member.left_on),
    terms: member.terms.map((row) => ({ ...row, from: dayOf(row.effective_from) })),
    roster: new Map(member.roster.map((row) => [dayOf(row.date), row])),
    leave: byDay(member.leave),
    frozen: new Map(member.frozen.map((row) => [dayOf(row.work_date), row])),
    plans: new Map(),
  };
}

function byDay(leave: readonly LeaveOfDay[]): Map<number, LeaveOfDay[]> {
  const days = new Map<number, LeaveOfDay[]>();
  for (const one of leave) {
    const day = dayOf(one.date);
    const others = days.get(day);
    if (others) others.push(one);
    else days.set(day, [one]);
  }
  return days;
}

/** The plan of a day; made once. */
export function planOf(member: MemberPlans, day: number): DayPlan {
  const known = member.plans.get(day);
  if (known) return known;
  const plan = planned(member, day);
  member.plans.set(day, plan);
  return plan;
}

/** What a plan says first of a day. */
type DayKind = Pick<DayPlan, 'settings' | 'terms' | 'system' | 'day_type' | 'is_employed' | 'frozen'>;

/** Of which kind a day is, without its times: a fraction of the work, for who asks about days of years. */
export function kindOf(member: MemberPlans, day: number): DayKind {
  const { rules } = member;
  const frozen = member.frozen.get(day) ?? null;
  const settings = frozen ? settingsOfDays(frozen.settings) : settingsOn(rules, day);
  const terms = rowOn(member.terms, day);
  const system = terms?.work_system ?? 'fixed';
  return {
    settings,
    terms,
    system,
    day_type: frozen?.day_type ?? dayTypeOf(rules, settings, day, system, member.roster.get(day)),
    is_employed: member.first <= day && day <= member.last,
    frozen,
  };
}

function planned(member: MemberPlans, day: number): DayPlan {
  const { rules } = member;
  const { settings, terms, system, day_type, is_employed, frozen } = kindOf(member, day);
  const roster = member.roster.get(day);
  const times = frozen ? frozen.schedule && timesOf(frozen.schedule) : scheduleOf(rules, terms, roster);
  const leave = (frozen ? frozen.leave : member.leave.get(day)) ?? [];
  const { zone } = settings;
  const plan: DayPlan = {
    day,
    date: dateOf(day),
    settings,
    start: startOfDay(zone, day),
    end: startOf(rules, day + 1),
    night_end: minuteAt(zone, day, NIGHT_END),
    night_start: minuteAt(zone, day, NIGHT_START),
    day_type,
    system,
    terms,
    is_employed,
    times,
    breaks: times ? times.breaks.map((one) => onDay(zone, day, one)) : [],
    window: null,
    left: null,
    scheduled: [],
    core: [],
    leave,
    leave_minutes: 0,
    schedule_minutes: 0,
    required_minutes: 0,
    frozen,
  };
  if (day_type === 'workday' && is_employed && times) addWindow(plan, times);
  return plan;
}

/** On a workday: its window, what leave left of it, and how many minutes are owed. */
function addWindow(plan: DayPlan, times: ScheduleTimes): void {
  const { zone } = plan.settings;
  plan.window = onDay(zone, plan.day, times.window);
  const after = afterLeave(zone, plan.day, times, plan.window, plan.breaks, plan.leave);
  plan.left = after.left;
  plan.scheduled = after.scheduled;
  plan.leave_minutes = after.taken;
  if (times.core) plan.core = intersect(after.scheduled, [onDay(zone, plan.day, times.core)]);
  plan.schedule_minutes = times.schedule.minutes;
  const isWhole = plan.leave.some(({ unit }) => unit === 'full');
  plan.required_minutes = isWhole ? 0 : Math.max(0, plan.schedule_minutes - after.taken);
}

function scheduleOf(
  rules: Rules,
  terms: DatedTerms | null,
  roster: RosterDay | undefined,
): ScheduleTimes | null {
  const id = roster?.schedule_id ?? terms?.schedule_id ?? null;
  return id === null ? rules.default_schedule : (rules.schedules.get(id) ?? rules.default_schedule);
}

/**
 * The type of a day: the roster's; else, for shifts, a prescribed holiday; else what a company's holiday counts as, or a
 * national one's unless that is a workday; else by the weekday. The legal weekday stays legal under a holiday that counts
 * as prescribed (Labour Standards Act art. 35).
 */
export function dayTypeOf(
  rules: Rules,
  settings: SettingsOfDays,
  day: number,
  system: WorkSystem,
  roster: Pick<RosterDay, 'day_type'> | undefined,
): DayType {
  if (roster) return roster.day_type;
  if (system === 'shift') return 'prescribed_holiday';
  const weekday = weekdayOf(day);
  const isLegal = weekday === settings.legal_weekday;
  const holiday = rules.holidays.get(day);
  const counts_as = holiday && (holiday.counts_as ?? settings.row.national_holidays_as);
  if (counts_as && !(holiday.kind === 'national' && counts_as === 'workday')) {
    return counts_as === 'prescribed_holiday' && isLegal ? 'legal_holiday' : counts_as;
  }
  if (isLegal) return 'legal_holiday';
  return settings.prescribed_weekdays.includes(weekday) ? 'prescribed_holiday' : 'workday';
}
