import type { Language } from './language.ts';

/** A time of today's rules: zones were called otherwise before them. */
const RECENT = Date.UTC(2026, 0, 1);

/** A time zone as people call it. */
export function zoneName(language: Language, time_zone: string): string {
  const parts = Intl.DateTimeFormat(language, {
    timeZone: time_zone,
    timeZoneName: 'longGeneric',
  }).formatToParts(RECENT);
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value;
  // Zones without a name of their own are told by their offset: then the one of the database says more.
  return name.startsWith('GMT') ? time_zone : name;
}
