import { readFileSync } from 'node:fs';

/** Milliseconds of a processor. Linux counts in hundredths of a second. */
export type ProcessorTimes = {
  user: number;
  system: number;
  /** Of the children that have ended, with theirs. */
  ended_user: number;
  ended_system: number;
};

/** What a process of Linux, `self` or by its number, used until now. */
export function processorTimes(process: string): ProcessorTimes {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  // What follows the name begins with the third field; utime, stime, cutime and cstime are the 14th to the 17th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, ended_user, ended_system] = fields.slice(11, 15).map((ticks) => Number(ticks) * 10);
  return { user: user!, system: system!, ended_user: ended_user!, ended_system: ended_system! };
}
