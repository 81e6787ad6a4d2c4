import { dateOf, dayOf, instantOf } from '../../kernel/local-time.ts';
import { bucketsOf } from './buckets.ts';
import { plansOf } from './day-plan.ts';
import type { Dates } from './reach.ts';
import type { Rules } from './rules.ts';
import { piecesOf } from './session-pieces.ts';
import type { LeftOver, MemberDays } from './types.ts';

/**
 * By work date, the minutes that sessions of some dates leave to days after these: what a closing of the dates does not
 * take. Once it is kept, no change of a later day brings a minute back into them or counts it twice.
 */
export function leftOverOf(rules: Rules, member: MemberDays, { from, to }: Dates): Map<string, LeftOver[]> {
  const plans = plansOf(rules, member);
  const { pieces } = piecesOf(plans, member.sessions, member.overtime);
  const [first, last] = [dayOf(from), dayOf(to)];
  const left = new Map<string, LeftOver[]>();
  for (const [day, bucket] of bucketsOf(plans, pieces)) {
    if (day <= last) continue;
    for (const piece of bucket) {
      if (piece.day < first || piece.day > last) continue;
      const own = left.get(dateOf(piece.day)) ?? [];
      const part = { start_at: instantOf(piece.start), end_at: instantOf(piece.end) };
      left.set(dateOf(piece.day), [...own, { work_date: dateOf(day), ...part }]);
    }
  }
  return left;
}
