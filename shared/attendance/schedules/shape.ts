import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';

/** The minutes of a day: what a schedule without breaks may last. */
const DAY = 1_440;

/** The daily limit of article 32, paragraph 2; longer days are for variable hours of a month. */
export const DAILY_STATUTORY_MINUTES = 480;

export type Span = { start: string; end: string };
export type HalfDay = { am_end: string; pm_start: string };

/** Times of a day as they are sent. */
export type ShapeInput = Span & {
  breaks: readonly Span[];
  minutes?: number | null | undefined;
  half_day?: HalfDay | null | undefined;
  core?: Span | null | undefined;
};

/** Times of a day with all that follows from them. */
export type Shape = Span & { breaks: Span[]; minutes: number; half_day: HalfDay; core: Span | null };

/** Minutes from midnight to a time on the clock. */
export function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function timeOf(minute: number): string {
  const inDay = minute % DAY;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(inDay / 60))}:${two(inDay % 60)}`;
}

/** Minutes from one time to the next time on the clock that is another one: at most a day. */
function minutesFrom(start: string, end: string): number {
  const minutes = minuteOf(end) - minuteOf(start);
  return minutes > 0 ? minutes : minutes + DAY;
}

/** Minutes from the start of a window to a time on the clock; the start itself is 0. */
function offsetIn(start: string, time: string): number {
  return (minuteOf(time) - minuteOf(start) + DAY) % DAY;
}

/**
 * The times of a day with their defaults: an end that is not after the start is on the next day. Answers what is wrong
 * instead: breaks outside of the window, backwards or overlapping, more minutes than the window less its breaks.
 */
export function shapeOf(input: ShapeInput): { shape: Shape } | { faults: FieldError[] } {
  const { start, end } = input;
  const length = minutesFrom(start, end);
  const faults: FieldError[] = [];
  const fault = (path: string, code: string, message: Text) =>
    faults.push({ in: 'body', path, code, message });
  const inside = (span: Span) => {
    const from = offsetIn(start, span.start);
    const to = from + minutesFrom(span.start, span.end);
    return to <= length ? { from, to } : null;
  };
  const breaks = input.breaks.map((each, index) => {
    const placed = inside(each);
    if (!placed) fault(`/breaks/${index}`, 'outside', OUTSIDE_BREAK);
    return { ...each, from: placed?.from ?? 0, to: placed?.to ?? 0, index };
  });
  const sorted = [...breaks].sort((one, other) => one.from - other.from);
  for (const [place, each] of sorted.entries()) {
    const before = sorted[place - 1];
    if (before && each.to > 0 && each.from < before.to) {
      fault(`/breaks/${each.index}`, 'overlap', OVERLAP);
    }
  }
  const free = length - breaks.reduce((sum, { from, to }) => sum + to - from, 0);
  const minutes = input.minutes ?? free;
  if (faults.length === 0 && (free < 1 || minutes > free)) fault('/minutes', 'too_large', beyond(free));
  const half_day = input.half_day ?? defaultHalfDay(start, length, sorted[0]);
  if (input.half_day) requireHalfDay(half_day, start, length, fault);
  if (input.core && !inside(input.core)) fault('/core', 'outside', OUTSIDE_CORE);
  if (faults.length > 0) return { faults };
  return {
    shape: {
      start,
      end,
      breaks: sorted.map(({ start: from, end: to }) => ({ start: from, end: to })),
      minutes,
      half_day,
      core: input.core ?? null,
    },
  };
}

/** The two halves meet at the first break, or in the middle of a day without one. */
function defaultHalfDay(start: string, length: number, first: Span | undefined): HalfDay {
  if (first) return { am_end: first.start, pm_start: first.end };
  const middle = timeOf(minuteOf(start) + Math.floor(length / 2));
  return { am_end: middle, pm_start: middle };
}

function requireHalfDay(
  { am_end, pm_start }: HalfDay,
  start: string,
  length: number,
  fault: (path: string, code: string, message: Text) => void,
): void {
  const from = offsetIn(start, am_end);
  const to = from + offsetIn(am_end, pm_start);
  if (from > length) fault('/half_day/am_end', 'outside', OUTSIDE_HALF);
  if (to > length) fault('/half_day/pm_start', 'outside', OUTSIDE_HALF);
}

const OUTSIDE_BREAK: Text = {
  en: 'breaks must lie within start and end',
  ja: 'breaks は start から end までの間に収めてください',
};
const OVERLAP: Text = { en: 'breaks must not overlap', ja: 'breaks の休憩が互いに重なっています' };
const OUTSIDE_CORE: Text = {
  en: 'core must lie within start and end',
  ja: 'core は start から end までの間に収めてください',
};
const OUTSIDE_HALF: Text = {
  en: 'half_day must lie within start and end, am_end not after pm_start',
  ja: 'half_day は start から end までの間で、am_end が pm_start を超えないように指定してください',
};

function beyond(free: number): Text {
  return {
    en: `minutes must be at most ${free}, the time from start to end less the breaks`,
    ja: `minutes は開始から終了までの時間から休憩を除いた${free}分以内で指定してください`,
  };
}
