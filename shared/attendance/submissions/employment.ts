import type { Reader } from '../../kernel/reader.ts';
import type { Dates } from '../days/reach.ts';
import { closedPeriodsOf, monthLocked } from './closed.ts';

type Employment = { hired_on: string | null; left_on: string | null };

/**
 * Sees that other first and last days of a locked member leave the closed periods as they are: nobody begins or ends in one.
 * Errors: `month_locked`.
 */
export async function requireClosedEmployment(
  reader: Reader,
  before: Employment & { id: string },
  after: Employment,
): Promise<void> {
  if (before.hired_on === after.hired_on && before.left_on === after.left_on) return;
  for (const { month, start, end } of (await closedPeriodsOf(reader, [before.id])).get(before.id)!) {
    const [was, is] = [
      employedWithin(before, { from: start, to: end }),
      employedWithin(after, { from: start, to: end }),
    ];
    if (was?.from !== is?.from || was?.to !== is?.to) throw monthLocked(month, start);
  }
}

/** The days of a range that somebody is employed on; null: none. */
function employedWithin({ hired_on, left_on }: Employment, { from, to }: Dates): Dates | null {
  const first = hired_on !== null && hired_on > from ? hired_on : from;
  const last = left_on !== null && left_on < to ? left_on : to;
  return first <= last ? { from: first, to: last } : null;
}
