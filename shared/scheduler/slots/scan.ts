import { dayAt } from '../../kernel/local-time.ts';
import type { Pausing } from '../../kernel/turns.ts';
import { alignedFrom, type GridDay, gridDay } from './grid.ts';
import { common, contains, type Interval, merged, union, without } from './intervals.ts';
import { freeStarts, openStarts } from './member.ts';
import type { Plan } from './plan.ts';
import type { Host, Slot } from './types.ts';

const MINUTE = 60_000;

/**
 * The starts that are offered from an instant to before another, in their order (slots, rules 6 to 8). Every date that these
 * touch is scanned from its first minute, so that the grid does not depend on what is asked for.
 */
export function* offeredBetween(plan: Plan, from: number, to: number): Pausing<Slot[]> {
  const days = daysBetween(plan, from, to);
  if (days.length === 0) return [];
  const within = { start: days[0]!.start, end: days.at(-1)!.end };
  const { event_type, sessions } = plan;
  const shared = [...sessions.keys()].map((start) => ({ start, end: start + 1 }));
  const free = without(yield* joined(plan, within, freeStarts), merged(shared));
  const slots = scanned(plan, days, free).map((start) => slotAt(plan, start, event_type.seats_per_slot));
  const all = [...slots, ...(yield* sessionsWithSeats(plan, days, within))];
  return all.filter(({ start }) => from <= start && start < to).sort((one, other) => one.start - other.start);
}

/** The dates of the grid that a range touches, as far as the bounds reach. */
function daysBetween({ zone, bounds }: Plan, from: number, to: number): GridDay[] {
  const earliest = Math.max(Math.ceil(from / MINUTE), bounds.earliest);
  const first = Math.max(dayAt(zone, earliest), bounds.first_day);
  const last = Math.min(dayAt(zone, Math.ceil(to / MINUTE) - 1), bounds.last_day);
  const days: GridDay[] = [];
  for (let day = first; day <= last; day += 1) days.push(gridDay(zone, day));
  return days;
}

/** The starts that every required member can take and, if members rotate, at least one of these. */
function* joined(
  plan: Plan,
  within: Interval,
  startsOf: (plan: Plan, host: Host, within: Interval) => Interval[],
): Pausing<Interval[]> {
  const { hosts } = plan;
  let all: Interval[] = [within];
  for (const host of hosts.filter(({ role }) => role === 'required')) {
    all = common(all, startsOf(plan, host, within));
    yield;
  }
  const rotating = hosts.filter(({ role }) => role === 'rotating');
  if (rotating.length === 0) return all;
  const one = union(within);
  for (const host of rotating) {
    one.add(startsOf(plan, host, within));
    yield;
  }
  return common(all, one.whole());
}

/** On each date the first free aligned minute, then the first one an interval later, until the date ends. */
function scanned(plan: Plan, days: readonly GridDay[], free: readonly Interval[]): number[] {
  const starts: number[] = [];
  let next = 0;
  for (const day of days) {
    if (plan.isFull(day.day)) continue;
    let cursor = Math.max(day.start, plan.bounds.earliest);
    while (next < free.length && cursor < day.end) {
      const { start, end } = free[next]!;
      const minute = alignedFrom(day, plan.step, Math.max(cursor, start));
      if (minute >= day.end) break;
      if (minute < end) {
        starts.push(minute);
        cursor = minute + plan.interval_minutes;
      } else next += 1;
    }
  }
  return starts;
}

/** Whoever joins a session needs neither a free host nor room in the limits: it is counted already. */
function* sessionsWithSeats(plan: Plan, days: readonly GridDay[], within: Interval): Pausing<Slot[]> {
  const left = [...plan.sessions].filter(([, { seats_left }]) => seats_left > 0);
  if (left.length === 0) return [];
  const open = yield* joined(plan, within, openStarts);
  return left
    .filter(([minute]) => minute >= plan.bounds.earliest && contains(days, minute, minute + 1))
    .filter(([minute]) => contains(open, minute, minute + 1))
    .map(([minute, { seats_left }]) => slotAt(plan, minute, seats_left));
}

function slotAt({ event_type }: Plan, minute: number, seats_left: number): Slot {
  const start = minute * MINUTE;
  return { start, end: start + event_type.duration_minutes * MINUTE, seats_left };
}
