import type { Locale } from '../../platform/mailer/letter.ts';

/** How a reader reads times: by the clock of a zone, in a language, by 24 or 12 hours. */
export type Reading = { time_zone: string; locale: Locale; time_format: '24' | '12' };

export type Span = { start: string; end: string };

const TAGS: Readonly<Record<Locale, string>> = { ja: 'ja-JP', en: 'en-GB' };

/** Half an hour after midnight is 午前0:30, and 12:30 am. */
const HALF_DAYS: Readonly<Record<Locale, 'h11' | 'h12'>> = { ja: 'h11', en: 'h12' };

/**
 * A time with its zone: `2027年1月15日(金) 10:00～10:40（Asia/Tokyo）`. An end on another date says which. The zone is that of
 * the database, since short names as JST are not the same everywhere.
 */
export function spanText({ start, end }: Span, reading: Reading): string {
  const from = dateText(start, reading);
  const to = dateText(end, reading);
  const until = `${from === to ? '' : `${to} `}${clockText(end, reading)}`;
  const { locale, time_zone } = reading;
  const between = locale === 'ja' ? '～' : ' – ';
  const zone = locale === 'ja' ? `（${time_zone}）` : ` (${time_zone})`;
  return `${from} ${clockText(start, reading)}${between}${until}${zone}`;
}

/** A moment with its zone: `2027年1月15日(金) 10:00（Asia/Tokyo）`. */
export function momentText(instant: string, reading: Reading): string {
  const { locale, time_zone } = reading;
  const zone = locale === 'ja' ? `（${time_zone}）` : ` (${time_zone})`;
  return `${dateText(instant, reading)} ${clockText(instant, reading)}${zone}`;
}

/** A beginning for a subject: `1月15日(金) 10:00`. */
export function shortText(start: string, reading: Reading): string {
  const { locale, time_zone } = reading;
  const format = new Intl.DateTimeFormat(TAGS[locale], {
    month: locale === 'ja' ? 'long' : 'short',
    day: 'numeric',
    weekday: 'short',
    timeZone: time_zone,
  });
  return `${format.format(new Date(start))} ${clockText(start, reading)}`;
}

function dateText(instant: string, { locale, time_zone }: Reading): string {
  return new Intl.DateTimeFormat(TAGS[locale], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    timeZone: time_zone,
  }).format(new Date(instant));
}

function clockText(instant: string, { locale, time_zone, time_format }: Reading): string {
  return new Intl.DateTimeFormat(TAGS[locale], {
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: time_format === '24' ? 'h23' : HALF_DAYS[locale],
    timeZone: time_zone,
  }).format(new Date(instant));
}
