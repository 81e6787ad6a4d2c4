/** Jobs that have to have been quick in a row before any is claimed ahead of its place. */
const IN_A_ROW = 32;

/** Milliseconds that a quick job takes: less than it takes to claim one. */
const QUICK = 2;

/** How many times as many jobs are claimed as run while they are quick. */
const TIMES = 8;

/** How many jobs a process may claim beyond those that it has a place for. */
export type Haste = {
  /** A handler has returned after so many milliseconds. */
  ended(milliseconds: number): void;
  more(): number;
};

/**
 * Where jobs take less time than their claim, they are claimed in large groups: a statement costs as much as many of its
 * rows. A claim counts as a start, also of a job whose process ends before it gets its turn. So a process that has just
 * begun claims none ahead, however often it is begun again, nor does one whose last jobs took their time.
 */
export function hasteOf(concurrency: number): Haste {
  let quick = 0;
  return {
    ended: (milliseconds) => {
      quick = milliseconds < QUICK ? quick + 1 : 0;
    },
    more: () => (quick >= IN_A_ROW ? concurrency * (TIMES - 1) : 0),
  };
}
