/** How fast one receiving domain gets mails: milliseconds between two, and when that last changed. */
export type DomainSpeed = { interval: number; changed_at: number };

/** One mail in so many milliseconds at the least. */
export const SLOWEST = 10_000;

/** Milliseconds without a complaint after which a domain gets twice as much. */
export const CALM = 10 * 60_000;

/** Faster than this a domain is not held back any more. */
export const UNHELD = 10;

/**
 * What a server asked for less about. `placed_by`: `changed_at` of the speed by which its latest mail got its place, null where the
 * domain was not held back then; `last_minute`: the mails that it got in the last minute.
 */
export type AskedForLess = { placed_by: number | null; last_minute: number };

/**
 * The speed after a server asked for less: half of what it was, by `last_minute` where the domain was not held back (`before` is null, or
 * has doubled to none). Mails that had their places before the present speed was set, under way or marked here or elsewhere, say nothing
 * of it: all of them are one request.
 */
export function slowerSpeed(
  before: DomainSpeed | null,
  { placed_by, last_minute }: AskedForLess,
  now: number,
): DomainSpeed {
  const present = before && presentSpeed(before, now);
  if (before && present && before.changed_at !== placed_by) return before;
  const was = present?.interval ?? 60_000 / Math.max(last_minute, 1);
  return { interval: Math.min(Math.ceil(was * 2), SLOWEST), changed_at: now };
}

/** The speed now: doubled after each ten minutes without a complaint; null where the domain is not held back any more. */
export function presentSpeed({ interval, changed_at }: DomainSpeed, now: number): DomainSpeed | null {
  const doublings = Math.max(0, Math.floor((now - changed_at) / CALM));
  const present = interval / 2 ** doublings;
  return present < UNHELD ? null : { interval: present, changed_at };
}
