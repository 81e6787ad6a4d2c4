import type { Pausing } from '../../kernel/turns.ts';
import { alignedFrom, type GridDay } from './grid.ts';
import type { Interval } from './intervals.ts';
import { type Failure, failuresOf } from './member.ts';
import type { Plan } from './plan.ts';
import { type Host, type Reason, reasons, type Verdict } from './types.ts';

const MINUTE = 60_000;
const BOOKABLE: Verdict = { ok: true, reason: null, host: null, blocked_by: null };

type Member = Pick<Host, 'role'> & { host: number; failure: ReturnType<typeof failuresOf> };

/**
 * Judges starts in some minutes: whether they are bookable, on the grid or not, else why not and whose reason that is. Of the
 * required members' reasons it is the earliest (ties: the members' order); if all of these can, of the rotating ones' the
 * latest. `day` is the date of the start in the grid's zone; `start` an instant.
 */
export function* verdictsWithin(
  plan: Plan,
  within: Interval,
): Pausing<(day: GridDay, start: number) => Verdict> {
  const members: Member[] = [];
  for (const [place, host] of plan.hosts.entries()) {
    members.push({ host: place, role: host.role, failure: failuresOf(plan, host, within) });
    yield;
  }
  const required = members.filter(({ role }) => role === 'required');
  const rotating = members.filter(({ role }) => role === 'rotating');
  const first = required[0] ?? rotating[0]!;

  return (day, start) => {
    const session = plan.sessions.get(start / MINUTE);
    const early = outsideBounds(plan, day, start) ?? (session ? null : notAligned(plan, day, start));
    if (early) return refused(first.host, { reason: early, blocked_by: null });
    const minute = start / MINUTE;
    const is_full = plan.isFull(day.day);
    const failed = ({ host, failure }: Member) => {
      const found = failure(minute, is_full);
      return { host, found: session ? failureInSession(found, session.seats_left) : found };
    };

    let [earliest, rank] = [null as Verdict | null, Infinity];
    for (const member of required) {
      const { host, found } = failed(member);
      if (found && rankOf(found) < rank) [earliest, rank] = [refused(host, found), rankOf(found)];
    }
    if (earliest) return earliest;

    let [latest, highest] = [BOOKABLE, -1];
    for (const member of rotating) {
      const { host, found } = failed(member);
      if (!found) return BOOKABLE;
      if (rankOf(found) > highest) [latest, highest] = [refused(host, found), rankOf(found)];
    }
    return latest;
  };
}

/** Which hosts have nothing in the way of a start: who is chosen among several is one of these. */
export function freeHosts(plan: Plan, start: number): boolean[] {
  const minute = Math.floor(start / MINUTE);
  const within = { start: minute, end: minute + 1 };
  return plan.hosts.map((host) => failuresOf(plan, host, within)(minute, false) === null);
}

/** What is wrong with the time itself. */
function outsideBounds({ bounds }: Plan, { day }: GridDay, start: number): Reason | null {
  if (start < bounds.now) return 'past';
  if (start < bounds.earliest * MINUTE) return 'too_soon';
  return day < bounds.first_day || day > bounds.last_day ? 'beyond_window' : null;
}

function notAligned({ step }: Plan, day: GridDay, start: number): Reason | null {
  const minute = start / MINUTE;
  return alignedFrom(day, step, minute) === minute ? null : 'not_aligned';
}

/** Who joins a session needs it inside the windows and a seat: its hosts are there, and it is counted already. */
function failureInSession(failure: Failure | null, seats_left: number): Failure | null {
  if (failure?.reason === 'outside_hours') return failure;
  return seats_left > 0 ? null : { reason: 'seats_full', blocked_by: null };
}

function refused(host: number, { reason, blocked_by }: Failure): Verdict {
  const by = blocked_by && { kind: blocked_by.kind, id: blocked_by.id };
  return { ok: false, reason, host, blocked_by: by };
}

function rankOf({ reason }: Failure): number {
  return reasons.indexOf(reason);
}
