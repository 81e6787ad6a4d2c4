import { dayAt } from '../../kernel/local-time.ts';
import { atOnce, type Pausing } from '../../kernel/turns.ts';
import { alignedFrom, gridDay } from './grid.ts';
import { planOf } from './plan.ts';
import { offeredBetween } from './scan.ts';
import type { Candidate, Question, Slot, Verdict } from './types.ts';
import { freeHosts, verdictsWithin } from './verdict.ts';

const MINUTE = 60_000;

/**
 * What can be asked about the starts of an event type. Instants are milliseconds since 1970. What may take long can pause
 * between hosts and between starts.
 */
export type Starts = {
  /** The starts that are offered, `from` <= start < `to`, in their order. */
  offered(from: number, to: number): Pausing<Slot[]>;
  /** Every aligned minute, `from` <= start < `to`, and whether it is bookable, else why not. */
  explained(from: number, to: number): Pausing<Candidate[]>;
  /** Whether a start is bookable, on the grid or not, else why not. */
  verdict(start: number): Verdict;
  /** Which members are free at a start by their own windows and blocks, in their order, whatever else refuses it. */
  free(start: number): boolean[];
};

/**
 * The rules of slots (the scheduler's page, "Slots") applied to what is known of an event type and its members at an
 * instant. What guests are shown, what is previewed, explained and booked is asked here, so that none can differ.
 */
export function startsOf(question: Question): Starts {
  const plan = planOf(question);
  const { zone, step } = plan;
  return {
    offered: (from, to) => offeredBetween(plan, from, to),

    *explained(from, to) {
      const [first, end] = [Math.ceil(from / MINUTE), Math.ceil(to / MINUTE)];
      const verdict = yield* verdictsWithin(plan, { start: first, end });
      const candidates: Candidate[] = [];
      for (let day = gridDay(zone, dayAt(zone, first)); day.start < end; day = gridDay(zone, day.day + 1)) {
        const until = Math.min(day.end, end);
        let minute = alignedFrom(day, step, Math.max(day.start, first));
        for (; minute < until; minute = alignedFrom(day, step, minute + 1)) {
          candidates.push({ start: minute * MINUTE, ...verdict(day, minute * MINUTE) });
          yield;
        }
      }
      return candidates;
    },

    verdict(start) {
      const minute = Math.floor(start / MINUTE);
      const verdict = atOnce(verdictsWithin(plan, { start: minute, end: minute + 1 }));
      return verdict(gridDay(zone, dayAt(zone, minute)), start);
    },

    free: (start) => freeHosts(plan, start),
  };
}
