import type { LiveTaking } from './balance.ts';
import type { DutyWindow } from './five-day.ts';
import { halvesOf } from './room.ts';
import { type Grant, hadNothing, holdsOn, sumOf, type TakenDay } from './uses.ts';

/*
 * Whether the days of a window were taken, told of the requests that touch the window alone. What a request takes follows from all
 * requests before it, but rarely does that decide: what was kept counts whatever else, no request takes more than its days, and where a
 * grant has room for all requests since it was made, each of them fits.
 */

/** A grant with whether it is as it was made: then what was kept of it is of days on which it holds. */
export type RecentGrant = Grant & { is_unchanged: boolean };

/** The half-days that were taken for certain, and those that may have been, of approved requests within a window up to a day. */
function bounds(takings: readonly LiveTaking[], window: DutyWindow, as_of: string) {
  let least = 0;
  let open = 0;
  for (const { status, days } of takings) {
    if (status !== 'approved') continue;
    for (const day of days) {
      if (!counts(day, window, as_of)) continue;
      if (day.kept) least += sumOf(day.kept).halves;
      else open += day.halves;
    }
  }
  return { least, most: least + open };
}

const counts = ({ date }: TakenDay, { window_start, window_end }: DutyWindow, as_of: string) =>
  window_start <= date && date <= window_end && date <= as_of;

/**
 * Whether the days are taken, by what was kept and by the most that requests can take; null where that does not tell. The days of
 * `takings` may be too many: any day may be taken for a working day.
 */
export function metByBounds(
  takings: readonly LiveTaking[],
  window: DutyWindow,
  as_of: string,
): boolean | null {
  const required = halvesOf(window.required_days);
  const { least, most } = bounds(takings, window, as_of);
  if (least >= required) return true;
  return most < required ? false : null;
}

/**
 * The same of all live requests that have days in the window or after it, each with its working days: what may be taken was
 * taken where the grant that began the window has room for all of it.
 */
export function metByRecent(
  grants: readonly RecentGrant[],
  takings: readonly LiveTaking[],
  window: DutyWindow,
  as_of: string,
): boolean | null {
  const met = metByBounds(takings, window, as_of);
  if (met !== null) return met;
  const began = grants.filter(({ granted_on }) => granted_on === window.window_start);
  return began.some((grant) => hasRoomForAll(grant, takings, window, as_of)) ? true : null;
}

function hasRoomForAll(
  grant: RecentGrant,
  takings: readonly LiveTaking[],
  window: DutyWindow,
  as_of: string,
): boolean {
  if (!grant.is_unchanged) return false;
  let halves = 0;
  for (const { status, days } of takings) {
    const open = days.filter(({ kept }) => kept === undefined);
    const since = open.filter(({ date }) => date >= grant.granted_on);
    const kept = days.flatMap((day) => day.kept ?? []).filter(({ grant_id }) => grant_id === grant.id);
    // Hours open days of the grant, so that not all of its room is half-days.
    if ([...since, ...kept].some(({ hours }) => hours > 0)) return false;
    halves += sumOf(since).halves + sumOf(kept).halves;
    const isCounted = status === 'approved' && open.some((day) => counts(day, window, as_of));
    if (isCounted && (days.some(hadNothing) || !open.every(({ date }) => holdsOn(grant, date)))) return false;
  }
  return halves <= halvesOf(grant.days);
}
