import { zoneName } from '../../kernel/zone-name.ts';
import type { Locale } from '../../platform/mailer/letter.ts';

const TAGS: Readonly<Record<Locale, string>> = { ja: 'ja-JP', en: 'en-GB' };

/**
 * Until when something can be done, by the clock of a zone: `2027年3月1日(月) 17:30（日本標準時）`. Midnight is the end of the day
 * before, at 24:00: at 0:00 people would take the day after it for theirs. The zone has its long name: short ones
 * as JST are not the same everywhere.
 */
export function deadlineText(
  instant: string,
  { locale, time_zone }: { locale: Locale; time_zone: string },
): string {
  const format = new Intl.DateTimeFormat(TAGS[locale], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: time_zone,
  });
  const time = new Date(instant);
  const isMidnight = isBeginningOfDay(time, time_zone);
  // The last minute of the day before, whose figures become those of its end.
  const text = isMidnight
    ? format.format(time.getTime() - MINUTE).replace('23:59', '24:00')
    : format.format(time);
  const zone = zoneName(locale, time_zone);
  return locale === 'ja' ? `${text}（${zone}）` : `${text} (${zone})`;
}

const MINUTE = 60_000;

function isBeginningOfDay(time: Date, time_zone: string): boolean {
  const there = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(time_zone);
  return there.toPlainTime().equals(new Temporal.PlainTime());
}
