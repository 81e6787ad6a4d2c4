import type { Locale } from '../../platform/mailer/letter.ts';

const TAGS: Readonly<Record<Locale, string>> = { ja: 'ja-JP', en: 'en-GB' };

/**
 * A moment by the clock of a zone: `2027年3月2日(火) 0:00（Asia/Tokyo）`. The zone is that of the database, since short names as
 * JST are not the same everywhere.
 */
export function momentText(
  instant: string,
  { locale, time_zone }: { locale: Locale; time_zone: string },
): string {
  const text = new Intl.DateTimeFormat(TAGS[locale], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: time_zone,
  }).format(new Date(instant));
  return locale === 'ja' ? `${text}（${time_zone}）` : `${text} (${time_zone})`;
}
