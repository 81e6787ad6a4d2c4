import { html } from 'ghtml';
import type { Language, Text } from '../../shared/kernel/language.ts';

/** How a page speaks to who looks at it: in their language, with numbers and times as seen from one moment. */
export type Speech = {
  language: Language;
  now: Date;
  /** A text in their language. */
  say(text: Text): string;
  /** Seconds by their two largest units: `45 s`, `3 min 20 s`, `2 d 4 h`. */
  duration(seconds: number): string;
  /** Milliseconds of a single run: `340 ms`, `2.4 s`, `3 min 20 s`. */
  runTime(milliseconds: number): string;
  /** How far an instant lies from now, as HTML; the instant itself stands beside it for machines and pointers. */
  ago(iso: string | null): string;
  /** An instant with how far it lies from now, as HTML. */
  when(iso: string | null): string;
};

type Units = Record<'day' | 'hour' | 'minute' | 'second' | 'millisecond', string>;

const UNITS: Record<Language, Units> = {
  en: { day: ' d', hour: ' h', minute: ' min', second: ' s', millisecond: ' ms' },
  ja: { day: '日', hour: '時間', minute: '分', second: '秒', millisecond: 'ミリ秒' },
};

/** The speech of a language at a moment. */
export function speechIn(language: Language, now: Date): Speech {
  const units = UNITS[language];
  const say = (text: Text) => text[language];

  function largest(seconds: number, most: number): string {
    const whole = Math.max(0, Math.round(seconds));
    const parts: [number, string][] = [
      [Math.floor(whole / 86_400), units.day],
      [Math.floor(whole / 3600) % 24, units.hour],
      [Math.floor(whole / 60) % 60, units.minute],
      [whole % 60, units.second],
    ];
    const first = parts.findIndex(([number]) => number > 0);
    if (first === -1) return `0${units.second}`;
    return parts
      .slice(first, first + most)
      .filter(([number]) => number > 0)
      .map(([number, unit]) => `${number}${unit}`)
      .join(language === 'ja' ? '' : ' ');
  }

  const duration = (seconds: number) => largest(seconds, 2);

  /** The largest unit alone: a list need not be finer. */
  const coarse = (seconds: number) =>
    largest(seconds < 60 || seconds >= 3600 ? seconds : Math.floor(seconds / 60) * 60, 1);

  function ago(iso: string | null): string {
    if (iso === null) return '–';
    const seconds = (now.getTime() - Date.parse(iso)) / 1000;
    const far = coarse(Math.abs(seconds));
    const words = say(
      seconds >= 0 ? { en: `${far} ago`, ja: `${far}前` } : { en: `in ${far}`, ja: `${far}後` },
    );
    return html`<time datetime="${iso}" title="${instant(iso)}">${words}</time>`;
  }

  return {
    language,
    now,
    say,
    duration,
    runTime(milliseconds) {
      if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))}${units.millisecond}`;
      if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)}${units.second}`;
      return duration(milliseconds / 1000);
    },
    ago,
    when: (iso) => (iso === null ? '–' : html`${instant(iso)} <span class="quiet">(!${ago(iso)})</span>`),
  };
}

/** `1,234` */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** `142 MiB` */
export function bytes(number: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(Math.floor(Math.log2(Math.max(number, 1)) / 10), units.length - 1);
  const value = number / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** `0.734` -> `73 %`; only all is 100. */
export function percent(part: number): string {
  return part > 0.99 && part < 1 ? `${Math.floor(part * 1000) / 10} %` : `${Math.round(part * 100)} %`;
}

/** `2026-11-21 10:04:42 UTC` */
export function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
