import type { Reader } from '../../kernel/reader.ts';
import { daysOff, type LeaveInterval } from '../days-off.ts';

/**
 * The approved leave of users that touches the days from one to another, both within, as intervals of the organization's
 * clock: whole days from midnight to midnight, workdays or not. For who plans their time.
 */
export async function leaveIntervals(
  reader: Reader,
  user_ids: readonly string[],
  from: string,
  to: string,
): Promise<LeaveInterval[]> {
  const dates = { from, to };
  return (await daysOff(reader, { user_ids, holidays: dates, leave: dates })).leave;
}
