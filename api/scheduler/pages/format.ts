import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { zoneName } from '../../../shared/kernel/zone-name.ts';
import { writtenTimes } from '../../../shared/scheduler/written-times.ts';

/** How times are written for one visitor. */
export type Formats = {
  time_zone: string;
  /** `Asia/Tokyo` as people call it: Japan Standard Time. */
  zone_name: string;
  /** The day of a start with its weekday and year, as in mails. Dates are `YYYY-MM-DD`. */
  day(date: string): string;
  month(month: string): string;
  /** The clock time of an instant. */
  clock(instant: number): string;
  /** A span of time with its day, in a `<time>` that programs read; HTML. */
  span(start: number, end: number): string;
  /** The clock time of a start in a `<time>`; HTML. */
  start(start: number): string;
  /** The instant with its offset in the zone: `2026-12-01T10:00:00+09:00`. */
  local(instant: number): string;
  date(instant: number): string;
  duration(minutes: number): string;
};

/** The formats for a language, a time zone and an organization's `time_format`. */
export function formatsOf(language: Language, time_zone: string, time_format: '24' | '12'): Formats {
  const reading = { locale: language, time_format, time_zone };
  const { clock, between } = writtenTimes(reading);
  const days = writtenTimes({ ...reading, time_zone: 'UTC' });
  const months = Intl.DateTimeFormat(language, { timeZone: 'UTC', year: 'numeric', month: 'long' });
  const zoned = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(time_zone);
  const day = (date: string) => days.date(Date.parse(date));
  const date = (instant: number) => zoned(instant).toPlainDate().toString();
  const local = (instant: number) => zoned(instant).toString({ timeZoneName: 'never' });
  return {
    time_zone,
    zone_name: zoneName(language, time_zone),
    day,
    month: (month) => months.format(Date.parse(`${month}-01`)),
    clock,
    local,
    date,
    start: (start) => html`<time datetime="${local(start)}">${clock(start)}</time>`,
    span(start, end) {
      const until = date(start) === date(end) ? clock(end) : `${day(date(end))} ${clock(end)}`;
      return html`<time datetime="${local(start)}">${day(date(start))} ${clock(start)}</time>${between}<time datetime="${local(end)}">${until}</time>`;
    },
    duration: (minutes) => durationOf(language, minutes),
  };
}

function durationOf(language: Language, minutes: number): string {
  const [hours, rest] = minutes === 90 ? [0, minutes] : [Math.floor(minutes / 60), minutes % 60];
  if (language === 'ja') return `${hours > 0 ? `${hours}時間` : ''}${rest > 0 ? `${rest}分` : ''}`;
  const several = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  const parts = [hours > 0 ? several(hours, 'hour') : '', rest > 0 ? several(rest, 'minute') : ''];
  return parts.filter(Boolean).join(' ');
}
