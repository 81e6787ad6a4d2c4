import { html } from 'ghtml';

/** `1,234` */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** Seconds as people say them, by their two largest units: `45 s`, `3 min 20 s`, `2 d 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  const parts = [`${days} d`, `${hours} h`, `${minutes} min`, `${whole % 60} s`];
  const first = parts.findIndex((part) => !part.startsWith('0 '));
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter((part) => !part.startsWith('0 '))
    .join(' ');
}

/** Milliseconds of a single run: `340 ms`, `2.4 s`, `3 min 20 s`. */
export function runTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return duration(milliseconds / 1000);
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

/** How far an instant lies from now, as HTML; the instant itself stands beside it for machines and pointers. */
export function ago(iso: string | null, now: Date): string {
  if (iso === null) return '–';
  const seconds = (now.getTime() - Date.parse(iso)) / 1000;
  const words = seconds >= 0 ? `${coarse(seconds)} ago` : `in ${coarse(-seconds)}`;
  return html`<time datetime="${iso}" title="${instant(iso)}">${words}</time>`;
}

/** An instant with how far it lies from now, as HTML. */
export function when(iso: string | null, now: Date): string {
  if (iso === null) return '–';
  return html`${instant(iso)} <span class="quiet">(!${ago(iso, now)})</span>`;
}

/** The largest unit alone: a list need not be finer. */
function coarse(seconds: number): string {
  return seconds < 3600
    ? duration(seconds < 60 ? seconds : Math.floor(seconds / 60) * 60)
    : duration(seconds).split(/(?<=[dh]) /)[0]!;
}
