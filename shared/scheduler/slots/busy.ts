import { firstIndex, type Interval, merged } from './intervals.ts';
import type { Block, EventRules } from './types.ts';

const MINUTE = 60_000;

/** Blocks by their starts, with the latest end up to each: the first that overlaps something is found by halving. */
export type Spans = {
  blocks: readonly Block[];
  intervals: readonly Interval[];
  latest_ends: readonly number[];
};

/**
 * Blocks as the minutes that they occupy. A wanted event consists of whole minutes, so it overlaps a block exactly if it
 * overlaps the whole minutes that the block touches: nothing is lost for blocks that begin or end within a minute.
 */
export function bareSpans(blocks: readonly Block[]): Spans {
  return spansOf(blocks, () => ({ before: 0, after: 0 }));
}

/**
 * Blocks with their own buffers and those of the wanted event (slots, rule 2): [m, m + d) is refused by buffers on both
 * sides if it overlaps [s - b' - a, e + a' + b).
 */
export function bufferedSpans(
  blocks: readonly Block[],
  wanted: Pick<EventRules, 'buffer_before_minutes' | 'buffer_after_minutes'>,
): Spans {
  return spansOf(blocks, ({ buffer_before_minutes, buffer_after_minutes }) => ({
    before: buffer_before_minutes + wanted.buffer_after_minutes,
    after: buffer_after_minutes + wanted.buffer_before_minutes,
  }));
}

/** Of the blocks that overlap the minutes from one to before another, the first; null if there is none. */
export function firstOverlapping(
  { blocks, intervals, latest_ends }: Spans,
  start: number,
  end: number,
): Block | null {
  const first = firstIndex(latest_ends.length, (index) => latest_ends[index]! > start);
  return first < blocks.length && intervals[first]!.start < end ? blocks[first]! : null;
}

/** The minutes at which an event of a duration would overlap one of some spans if it started there. */
export function refusedStarts({ intervals }: Spans, duration_minutes: number): Interval[] {
  return merged(intervals.map(({ start, end }) => ({ start: start - duration_minutes + 1, end })));
}

function spansOf(
  blocks: readonly Block[],
  bufferOf: (block: Block) => { before: number; after: number },
): Spans {
  const spans = blocks
    .filter(({ start, end }) => start < end)
    .map((block) => {
      const { before, after } = bufferOf(block);
      return { block, start: block.start - before * MINUTE, end: block.end + after * MINUTE };
    })
    .sort((one, other) => one.start - other.start);
  const intervals = spans.map(({ start, end }) => ({
    start: Math.floor(start / MINUTE),
    end: Math.ceil(end / MINUTE),
  }));
  const latest_ends: number[] = [];
  for (const { end } of intervals) latest_ends.push(Math.max(latest_ends.at(-1) ?? end, end));
  return { blocks: spans.map(({ block }) => block), intervals, latest_ends };
}
