import { type Left, leftAfter, roomOf, type Used } from './room.ts';

/** What days can be taken from. `expires_on` is the last day; null where the grant has no days. */
export type Grant = { id: string; granted_on: string; expires_on: string | null; days: number };

/** Whether days can be taken from a grant on a day. */
export function holdsOn({ granted_on, expires_on }: Grant, day: string): boolean {
  return granted_on <= day && expires_on !== null && day <= expires_on;
}

/** What a live request takes on one day: half-days or hours. */
export type TakenDay = Used & {
  date: string;
  /** What it took of grants, where the day is of a confirmed period: that stays. */
  kept?: readonly Use[];
};

/** A live request for leave of one kind. */
export type Taking = {
  id: string;
  /** Requests of one day are taken in the order of this minute. */
  start_minute: number;
  /** In order of date. */
  days: readonly TakenDay[];
};

/** A part of a day that a grant gives. */
export type Use = Used & { grant_id: string };

/** A use with its request and its day. */
export type DatedUse = Use & { request_id: string; date: string };

export type Allocation = {
  /** In the order in which they were taken. */
  uses: DatedUse[];
  /** The requests that did not fit whole, which take nothing beside what was kept. */
  unfit: string[];
};

/**
 * Takes the days of live requests from grants: in order of date, each half-day and hour from the oldest grant that holds
 * on that day and has room. A request fits whole or takes nothing. Days of confirmed periods keep what they took.
 */
export function allocate(
  grants: readonly Grant[],
  takings: readonly Taking[],
  hours_per_day: number,
): Allocation {
  const oldest = grants.toSorted((a, b) => compare(a.granted_on, b.granted_on) || compare(a.id, b.id));
  let room: Room = new Map(grants.map(({ id, days }) => [id, roomOf(days)]));
  const uses: DatedUse[] = [];
  const unfit: string[] = [];
  const ordered = inOrder(takings);
  for (const { id: request_id, days } of ordered) {
    for (const { date, kept = [] } of days) {
      for (const use of kept) {
        uses.push({ request_id, date, ...use });
        const before = room.get(use.grant_id);
        if (before) room.set(use.grant_id, leftAfter(before, use, hours_per_day) ?? roomOf(0));
      }
    }
  }
  for (const { id: request_id, days } of ordered) {
    const after = new Map(room);
    const taken: DatedUse[] = [];
    const fits =
      !days.some(hadNothing) &&
      days
        .filter(({ kept }) => kept === undefined)
        .every((day) => {
          const parts = takeDay(oldest, after, day, hours_per_day);
          taken.push(...(parts ?? []).map((part) => ({ request_id, date: day.date, ...part })));
          return parts !== null;
        });
    if (fits) {
      room = after;
      uses.push(...taken);
    } else unfit.push(request_id);
  }
  return { uses, unfit };
}

/**
 * Whether a day of a confirmed period was to be taken and nothing was: its request did not fit then, and does not fit because
 * fewer of its days are left to be taken.
 */
export function hadNothing({ kept, halves, hours }: TakenDay): boolean {
  return kept?.length === 0 && halves + hours > 0;
}

/** What is left of each grant, by its ID. */
type Room = Map<string, Left>;

/** Takes a day from what is left; null where no grant has the rest of it. */
function takeDay(
  oldest: readonly Grant[],
  room: Room,
  { date, halves, hours }: TakenDay,
  hours_per_day: number,
): Use[] | null {
  const parts: Use[] = [];
  let wanted: Used = { halves, hours };
  for (const { id: grant_id } of oldest.filter((grant) => holdsOn(grant, date))) {
    const left = room.get(grant_id)!;
    const part = mostOf(left, wanted, hours_per_day);
    if (part.halves + part.hours === 0) continue;
    parts.push({ grant_id, ...part });
    room.set(grant_id, leftAfter(left, part, hours_per_day)!);
    wanted = { halves: wanted.halves - part.halves, hours: wanted.hours - part.hours };
  }
  return wanted.halves + wanted.hours === 0 ? parts : null;
}

/** The most of what is wanted that is left. */
function mostOf(left: Left, wanted: Used, hours_per_day: number): Used {
  const halves = Math.min(wanted.halves, left.halves);
  let { hours } = wanted;
  while (hours > 0 && leftAfter(left, { halves, hours }, hours_per_day) === null) hours -= 1;
  return { halves, hours };
}

function inOrder(takings: readonly Taking[]): Taking[] {
  const first = ({ days }: Taking) => days[0]?.date ?? '';
  return takings.toSorted(
    (a, b) => compare(first(a), first(b)) || a.start_minute - b.start_minute || compare(a.id, b.id),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The requests that fit before and no longer do: what a change must not bring about. */
export function displaced(before: Allocation, after: Allocation): string[] {
  return after.unfit.filter((id) => !before.unfit.includes(id));
}

/** The half-days and hours of uses together. */
export function sumOf(uses: readonly Used[]): Used {
  return uses.reduce(
    (sum, { halves, hours }) => ({ halves: sum.halves + halves, hours: sum.hours + hours }),
    { halves: 0, hours: 0 },
  );
}
