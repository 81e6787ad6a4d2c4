import { html } from 'ghtml';
import type { Language } from './language.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats of a page: they are made once for its thousand rows. */
export type Formats = { size(bytes: number): string; time(iso: string): string };

/** Sizes in the units that people know from their own folders (1 kB has 1,000 bytes), times in a zone. */
export function formatsOf(language: Language, time_zone: string): Formats {
  const numbers = UNITS.map((unit, power) =>
    Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    }),
  );
  const days = Intl.DateTimeFormat(language, {
    // 2026年11月27日 9:00; the shorter form of Japanese has slashes.
    dateStyle: language === 'ja' ? 'long' : 'medium',
    timeStyle: 'short',
    timeZone: time_zone,
  });
  return {
    size(bytes) {
      const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
      return numbers[power]!.format(bytes / 1000 ** power);
    },
    time: (iso) => html`<time datetime="${iso}">${days.format(new Date(iso))}</time>`,
  };
}
