import type { Locale } from '../platform/mailer/letter.ts';

/** How a reader reads times: by the clock of a zone, in a language, by 24 or 12 hours. */
export type Reading = { time_zone: string; locale: Locale; time_format: '24' | '12' };

/** How times are written for a reader, in mails and on pages alike. Instants are milliseconds since 1970. */
export type WrittenTimes = {
  /** `2027年1月15日(金)`, `Fri, 15 January 2027`. */
  date(instant: number): string;
  /** The same in short, for a subject: `1月15日(金)`. */
  shortDate(instant: number): string;
  /** `10:00`, `午前10:00`, `10:00 am`. */
  clock(instant: number): string;
  /** What stands between a start and its end. */
  between: string;
};

const TAGS: Readonly<Record<Locale, string>> = { ja: 'ja-JP', en: 'en-GB' };

/** Half an hour after midnight is 午前0:30, and 12:30 am. */
const HALF_DAYS: Readonly<Record<Locale, 'h11' | 'h12'>> = { ja: 'h11', en: 'h12' };

/** The writing of times for a reader. */
export function writtenTimes({ time_zone, locale, time_format }: Reading): WrittenTimes {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(TAGS[locale], { timeZone: time_zone, ...options });
  const dates = written({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' });
  const short = written({
    month: locale === 'ja' ? 'long' : 'short',
    day: 'numeric',
    weekday: 'short',
  });
  const hourCycle = time_format === '24' ? 'h23' : HALF_DAYS[locale];
  const clocks = written({ hour: 'numeric', minute: '2-digit', hourCycle });
  return {
    date: (instant) => dates.format(instant),
    shortDate: (instant) => short.format(instant),
    clock: (instant) => clocks.format(instant),
    between: locale === 'ja' ? '～' : ' – ',
  };
}
