import { bareSpans, bufferedSpans, firstOverlapping, refusedStarts } from './busy.ts';
import { contains, type Interval, without } from './intervals.ts';
import type { Plan } from './plan.ts';
import type { Block, Host, Reason } from './types.ts';
import { windowsWithin } from './windows.ts';

/** Why a member cannot take a start. */
export type Failure = { reason: Reason; blocked_by: Block | null };

/** The starts in some minutes at which an event would lie inside one window of a member. */
export function openStarts(plan: Plan, host: Host, within: Interval): Interval[] {
  const { duration_minutes } = plan.event_type;
  return windowsWithin(host, plan.holidays, reachOf(plan, within))
    .map(({ start, end }) => ({ start, end: end - duration_minutes + 1 }))
    .filter(({ start, end }) => start < end);
}

/** Those of them at which nothing occupies the member either. A member whose calendars are not known has none. */
export function freeStarts(plan: Plan, host: Host, within: Interval): Interval[] {
  if (!host.calendar_works) return [];
  const spans = bufferedSpans(host.blocks, plan.event_type);
  return without(openStarts(plan, host, within), refusedStarts(spans, plan.event_type.duration_minutes));
}

/**
 * Tells of starts in some minutes why a member cannot take them, null if the member can. What fails for all members alike is
 * asked elsewhere, but that the day is full: it comes before the calendars.
 */
export function failuresOf(
  plan: Plan,
  host: Host,
  within: Interval,
): (start: number, is_full: boolean) => Failure | null {
  const windows = windowsWithin(host, plan.holidays, reachOf(plan, within));
  const [bare, buffered] = [bareSpans(host.blocks), bufferedSpans(host.blocks, plan.event_type)];
  return (start, is_full) => {
    const end = start + plan.event_type.duration_minutes;
    if (!contains(windows, start, end)) return { reason: 'outside_hours', blocked_by: null };
    const overlapped = firstOverlapping(bare, start, end);
    if (overlapped) return { reason: 'busy', blocked_by: overlapped };
    const near = firstOverlapping(buffered, start, end);
    if (near) return { reason: 'buffer', blocked_by: near };
    if (is_full) return { reason: 'limit_reached', blocked_by: null };
    return host.calendar_works ? null : { reason: 'calendar_unavailable', blocked_by: null };
  };
}

/** The minutes that events would occupy which start in some minutes. */
function reachOf({ event_type }: Plan, { start, end }: Interval): Interval {
  return { start, end: end + event_type.duration_minutes };
}
