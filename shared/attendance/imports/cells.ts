import { day } from '../../kernel/schema.ts';
import { dayText, narrow } from '../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../platform/imports/reading/field.ts';

const Day = day();

const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;

/** What programs put behind a day: its weekday, or midnight. */
const BEHIND = /\s*(\([日月火水木金土]\)|0?0:00(:00)?)$/;

/** A day as programs write it: `2026-11-02`, `2026/11/2(月)`, `2026年11月2日`, `20261102`. Fault: `unknown_day`. */
export function parseDay(cell: string): Parsed {
  const text = narrow(cell).replace(BEHIND, '');
  const [, year, month, date] = DIGITS.exec(text) ?? [];
  const result = Day.safeParse(dayText(year ? `${year}-${month}-${date}` : text));
  return result.success ? { value: result.data } : { fault: 'unknown_day' };
}

/** `9:00`, `09:00:30`, `25:30`, `9時30分`, `翌1:30`. */
const TIME = /^(翌)?(\d{1,2})(?::(\d{2})(?::(\d{2}))?|時(?:(\d{1,2})分)?)$/;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Seconds since the midnight that the work date begins with, to 47:59:59; undefined for what is no such time. */
export function secondsOf(text: string): number | undefined {
  const [, next, hours, colon, seconds = '0', kanji] = TIME.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const [minute, second] = [Number(colon ?? kanji ?? 0), Number(seconds)];
  if (minute > 59 || second > 59 || (next && Number(hours) > 23)) return undefined;
  const all = Number(hours) * HOUR + minute * 60 + second + (next ? DAY : 0);
  return all < 2 * DAY ? all : undefined;
}

/** A time of the clock. Fault: `invalid_time`. */
export function parseTime(cell: string): Parsed {
  const value = secondsOf(narrow(cell));
  return value === undefined ? { fault: 'invalid_time' } : { value };
}

/** Of what stands between the two times of a break, and between two breaks, the forms that people write. */
const TO = /\s*[-‐‑–—−ー~〜]\s*/;
const BETWEEN = /\s*[;,、]\s*/;

/** The most breaks of a session. */
const MOST_BREAKS = 50;

/** Breaks in order of time, each from one time to another: `12:00-13:00;15:00-15:15`. Fault: `invalid_time`. */
export function parseBreaks(cell: string): Parsed {
  const breaks: [number, number][] = [];
  for (const part of narrow(cell).split(BETWEEN)) {
    if (part === '') continue;
    const [from, to, ...more] = part.split(TO).map(secondsOf);
    if (from === undefined || to === undefined || more.length > 0) return { fault: 'invalid_time' };
    breaks.push([from, to]);
  }
  if (breaks.length > MOST_BREAKS) return { fault: 'too_many' };
  return { value: breaks.toSorted(([one], [other]) => one - other) };
}
