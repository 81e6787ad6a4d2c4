import { type Reading, writtenTimes } from '../written-times.ts';

export type { Reading } from '../written-times.ts';

export type Span = { start: string; end: string };

/**
 * A time with its zone: `2027年1月15日(金) 10:00～10:40（Asia/Tokyo）`. An end on another date says which. The zone is that of
 * the database, since short names as JST are not the same everywhere.
 */
export function spanText({ start, end }: Span, reading: Reading): string {
  const { date, clock, between } = writtenTimes(reading);
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const until = `${date(from) === date(to) ? '' : `${date(to)} `}${clock(to)}`;
  return `${date(from)} ${clock(from)}${between}${until}${zoneText(reading)}`;
}

/** A moment with its zone: `2027年1月15日(金) 10:00（Asia/Tokyo）`. */
export function momentText(instant: string, reading: Reading): string {
  const { date, clock } = writtenTimes(reading);
  const at = Date.parse(instant);
  return `${date(at)} ${clock(at)}${zoneText(reading)}`;
}

/** A beginning for a subject: `1月15日(金) 10:00`. */
export function shortText(start: string, reading: Reading): string {
  const { shortDate, clock } = writtenTimes(reading);
  const at = Date.parse(start);
  return `${shortDate(at)} ${clock(at)}`;
}

function zoneText({ locale, time_zone }: Reading): string {
  return locale === 'ja' ? `（${time_zone}）` : ` (${time_zone})`;
}
