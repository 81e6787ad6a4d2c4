import type { PrintLocale } from './model.ts';

/** Days (YYYY-MM-DD) from the first to the last. */
export type Period = { from: string; to: string };

const MINUS: Record<PrintLocale, string> = { ja: '▲', en: '-' };

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Yen as a column shows them: `1,234`, below zero `▲1,234` or `-1,234`. */
export function plainYen(amount: bigint, locale: PrintLocale): string {
  return decimal(String(amount), locale);
}

/** Yen with their sign: `¥1,234`, below zero `▲¥1,234` or `-¥1,234`. */
export function yen(amount: bigint, locale: PrintLocale): string {
  return amount < 0n ? `${MINUS[locale]}${yen(-amount, locale)}` : `¥${plainYen(amount, locale)}`;
}

/** A decimal text with separators of thousands and without zeros at its end: `-1234.500` as `▲1,234.5`. */
export function decimal(text: string, locale: PrintLocale): string {
  const [, minus, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`${text} is no decimal`);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${minus ? MINUS[locale] : ''}${grouped}${fraction && `.${fraction}`}`;
}

/** A day (YYYY-MM-DD): `2026年4月1日`, `1 April 2026`. */
export function day(text: string, locale: PrintLocale): string {
  const [year, month, date] = text.split('-').map(Number) as [number, number, number];
  return locale === 'ja' ? `${year}年${month}月${date}日` : `${date} ${MONTHS[month - 1]} ${year}`;
}

/** The days of a period, both of which belong to it: `2026年4月1日〜2026年4月30日`, `1 – 30 April 2026`. */
export function period({ from, to }: Period, locale: PrintLocale): string {
  if (from === to) return day(from, locale);
  if (locale === 'ja') return `${day(from, locale)}〜${day(to, locale)}`;
  const [first, last] = [day(from, locale), day(to, locale)];
  const shared = [from.slice(0, 7) === to.slice(0, 7), from.slice(0, 4) === to.slice(0, 4)];
  const words = first.split(' ').slice(0, shared[0] ? 1 : shared[1] ? 2 : 3);
  return `${words.join(' ')} – ${last}`;
}
