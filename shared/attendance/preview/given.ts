import { daysLater } from '../../kernel/days.ts';
import { type FieldError, invalid, invalidAll, unknownReference } from '../../kernel/failure.ts';
import { dateOf, dayOf, minuteOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { dayTypeOf, plansOf } from '../days/day-plan.ts';
import { dayAt, type Rules, rulesOf, settingsOn, weekStartOf } from '../days/rules.ts';
import type { FrozenDay, LeaveOfDay, MemberDays, RosterDay, Schedule, Session } from '../days/types.ts';
import { organizationLaid } from '../organization-rules.ts';
import { requireStatutory } from '../schedules/operations.ts';
import { type ShapeInput, shapeOf } from '../schedules/shape.ts';
import { afterChange, todayBy } from '../settings/dated.ts';
import { previewOf } from './compute.ts';
import { previewedSessions } from './punches.ts';
import { MOST_DAYS, type Preview, type PreviewInput } from './record.ts';

/** Around the dates, so far rules are read: a period has up to 59 days, and a session reaches four days on. */
const FARTHEST = 70;

/**
 * The figures that some days and punches would have under the organization's rules, with the changes that are asked about. It
 * reads settings, schedules and holidays, and no member. Errors: `validation_failed`, `unknown_reference` for a schedule of
 * `terms` that there is not.
 */
export async function preview(reader: Reader, input: PreviewInput): Promise<Preview> {
  const near = roughDates(input);
  const laid = await organizationLaid(reader, daysLater(near.from, -FARTHEST), daysLater(near.to, FARTHEST));
  const { max_session_hours: hours, ...change } = input.settings;
  const max_session_hours = hours ?? laid.plain.max_session_hours;
  const system = input.terms.work_system ?? 'fixed';
  const own = input.schedule && scheduleOf('own', input.schedule, system, '/schedule');
  const ofDays = input.days.flatMap(({ schedule }, index) =>
    schedule ? [scheduleOf(`day ${index}`, schedule, system, `/days/${index}/schedule`)] : [],
  );
  const known = laid.rules.schedules.map((one) => ({ ...one, is_default: one.is_default && !own }));
  const rules = rulesOf({
    settings: laid.rules.settings.map((row) => ({ ...row, ...afterChange(row as never, change) })),
    schedules: [...known, ...(own ? [{ ...own, is_default: true }] : []), ...ofDays],
    holidays: laid.rules.holidays,
  });
  const member: MemberDays = {
    hired_on: null,
    left_on: null,
    terms: [termsOf(input, rules)],
    roster: rosterOf(input, rules, system),
    leave: leaveOf(input),
    overtime: [],
    sessions: [],
    frozen: [],
  };
  const sessions = previewedSessions(plansOf(rules, member), input.punches, {
    max_session_hours,
    duplicate_window_seconds: laid.plain.duplicate_window_seconds,
  });
  const dates = datesOf(input, rules, sessions);
  const frozen = weekBefore(input, rules, dates.from);
  return previewOf({
    rules,
    member: { ...member, sessions, frozen },
    dates,
    now: reader.now.toISOString(),
    today: todayBy(laid.dated, reader.now),
    max_session_hours,
  });
}

/** The years in which rules can be asked for. */
const FIRST = '1900-01-01';
const LAST = '2999-12-31';

/** The dates of a preview, more or less: before the zone of the settings is known. Errors: `validation_failed`. */
function roughDates({ days, punches }: PreviewInput): { from: string; to: string } {
  const dates = [
    ...days.map(({ date }) => date),
    ...punches.flatMap(({ occurred_at, work_date }) => [occurred_at.slice(0, 10), work_date ?? []].flat()),
  ].sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) {
    throw invalid('/days', 'required', {
      en: 'days or punches are required',
      ja: 'days または punches を指定してください',
    });
  }
  if (from < FIRST || to > LAST) {
    throw invalid('/days', 'out_of_range', {
      en: `Dates must lie between ${FIRST} and ${LAST}`,
      ja: `日付は ${FIRST} から ${LAST} までで指定してください`,
    });
  }
  // In another zone the first and the last one may be a day away.
  if (dayOf(to) - dayOf(from) > MOST_DAYS + 2) throw tooManyDays();
  return { from, to };
}

function tooManyDays() {
  return invalid('/days', 'too_long', {
    en: `From the first date to the last one there are at most ${MOST_DAYS} days`,
    ja: `最初の日付から最後の日付までは${MOST_DAYS}日以内で指定してください`,
  });
}

/** From the first to the last date that a day or a session names or touches. Errors: `validation_failed`. */
function datesOf({ days }: PreviewInput, rules: Rules, sessions: readonly Session[]) {
  const all = [
    ...days.map(({ date }) => dayOf(date)),
    ...sessions.flatMap(({ work_date, clock_in_at, clock_out_at }) => [
      dayOf(work_date),
      dayAt(rules, minuteOf(clock_in_at)),
      dayAt(rules, minuteOf(clock_out_at ?? clock_in_at)),
    ]),
  ];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  if (last - first >= MOST_DAYS) throw tooManyDays();
  return { from: dateOf(first), to: dateOf(last) };
}

/** Errors: `validation_failed` at the schedule's place. */
function scheduleOf(id: string, times: ShapeInput, system: string, path: string): Schedule {
  const made = shapeOf(times);
  if ('faults' in made) {
    throw invalidAll(made.faults.map((fault): FieldError => ({ ...fault, path: path + fault.path })));
  }
  if (system !== 'variable_monthly') requireStatutory(made.shape, `${path}/minutes`);
  return { id, ...made.shape, is_default: false };
}

const BEGINNING = '0001-01-01';

function termsOf({ terms }: PreviewInput, rules: Rules): MemberDays['terms'][number] {
  const { work_system = 'fixed', schedule_id = null, deemed_minutes = null, flexible_limit } = terms;
  if (schedule_id !== null && !rules.schedules.has(schedule_id)) {
    throw unknownReference('/terms/schedule_id', schedule_id);
  }
  return {
    effective_from: BEGINNING,
    work_system,
    schedule_id,
    deemed_minutes,
    flexible_limit: flexible_limit ?? 'calendar',
  };
}

/** Errors: `validation_failed` for a date that is there twice. */
function rosterOf({ days }: PreviewInput, rules: Rules, system: MemberDays['terms'][number]['work_system']) {
  return days.flatMap(({ date, day_type, schedule }, index): RosterDay[] => {
    if (days.findIndex((other) => other.date === date) < index) {
      throw invalid(`/days/${index}/date`, 'duplicate', {
        en: 'The date is there already',
        ja: '同じ日付が重複しています',
      });
    }
    if (day_type === undefined && !schedule) return [];
    const day = dayOf(date);
    return [
      {
        date,
        day_type: day_type ?? dayTypeOf(rules, settingsOn(rules, day), day, system, undefined),
        schedule_id: schedule ? `day ${index}` : null,
      },
    ];
  });
}

function leaveOf({ days }: PreviewInput): LeaveOfDay[] {
  return days.flatMap(({ date, leave }) => (leave ? [{ date, request_id: 'preview', ...leave }] : []));
}

/** The day before the first one, as one that adds what the week has so far. Errors: `validation_failed`. */
function weekBefore(
  { week_prior_statutory_minutes: week_minutes }: PreviewInput,
  rules: Rules,
  from: string,
): FrozenDay[] {
  if (week_minutes === 0) return [];
  const settings = settingsOn(rules, dayOf(from));
  if (weekStartOf(settings, dayOf(from)) === dayOf(from)) {
    throw invalid('/week_prior_statutory_minutes', 'not_allowed', {
      en: `A week begins on ${from}: no days are before it`,
      ja: `${from} は週の初日です。それより前の日はありません`,
    });
  }
  const { row } = settings;
  return [
    {
      work_date: daysLater(from, -1),
      day_type: 'workday',
      schedule: null,
      settings: row,
      leave: [],
      week_minutes,
      left_over: [],
    },
  ];
}
