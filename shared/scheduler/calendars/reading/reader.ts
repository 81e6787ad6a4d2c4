import { readerOf } from '../../../platform/readers/reader.ts';
import type { CalendarQuestion, ReadCalendar } from './types.ts';

/** How far ahead calendars are read, and how many times of one are taken. */
export const DAYS_AHEAD = 760;
export const MOST_EVENTS = 10_000;

/** Reads the busy times of a calendar's text in a process of its own. Errors: `ReaderFailure`, with the words of `read.ts`. */
export const readCalendar = readerOf<CalendarQuestion, ReadCalendar>({
  module: new URL('read.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 256,
  most_answer: 16 * 1024 * 1024,
});
