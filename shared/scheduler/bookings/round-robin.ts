import type { AssignmentReason } from './record.ts';

/** A rotating member who is free, with what was assigned to them of this type in the month of the start. */
export type Candidate = {
  user_id: string;
  priority: number;
  /** Bookings that count for the limits. */
  bookings: number;
  /** When the last of them was assigned; null: none was. */
  last_assigned_at: string | null;
};

/**
 * Whose turn it is (the scheduler's page, "Round robin"): the highest priority, then the fewest bookings, then who was assigned
 * one longest ago (never before all), then the lower ID. The reason names the rule that decided. Takes one candidate or more.
 */
export function chosenOf(candidates: readonly Candidate[]): {
  user_id: string;
  assignment_reason: AssignmentReason;
} {
  let left = candidates;
  let rule: AssignmentReason['rule'] = 'only_free';
  for (const [next, compare] of RULES) {
    if (left.length === 1) break;
    const best = left.reduce((one, other) => (compare(other, one) < 0 ? other : one));
    left = left.filter((one) => compare(one, best) === 0);
    rule = next;
  }
  const user_ids = candidates.map(({ user_id }) => user_id);
  return { user_id: left[0]!.user_id, assignment_reason: { rule, candidates: user_ids } };
}

/** Those who are free in the order of their turns, by the same rules. */
export function inTurn(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((one, other) => {
    for (const [, compare] of RULES) {
      const order = compare(one, other);
      if (order !== 0) return order;
    }
    return 0;
  });
}

type Compare = (one: Candidate, other: Candidate) => number;

const RULES: readonly [AssignmentReason['rule'], Compare][] = [
  ['priority', (one, other) => other.priority - one.priority],
  ['fewest', (one, other) => one.bookings - other.bookings],
  ['least_recent', (one, other) => ordered(one.last_assigned_at ?? '', other.last_assigned_at ?? '')],
  ['order', (one, other) => ordered(one.user_id, other.user_id)],
];

function ordered(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
