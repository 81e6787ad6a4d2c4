import type { MailThrottle } from '../throttle.ts';

/** Instants and spans here are microseconds: at 300 mails a second a millisecond is too coarse. */
export const SECOND = 1_000_000;

/** How long what has begun counts against a quota. */
export const windows = { hour: 3_600 * SECOND, day: 86_400 * SECOND } as const;

export type WindowName = keyof typeof windows;

/** Of mails that begin evenly spaced: how many a second, and when the next one may begin. */
export type Pace = { per_second: number; next_at: number };

/** Mails that began at `until` or before, and after the span before them. */
export type Span = { until: number; count: number };

/** A sliding quota: how many mails of its window count now, and when the first of them counts no more; null where none does. */
export type Quota = { limit: number; used: number; free_at: number | null };

/** When mails may begin, in order; `paces`: when the next one may after them; `free_at`: when to ask again where none may. */
export type Grant = { begins: readonly number[]; paces: readonly number[]; free_at: number | null };

/**
 * When up to `most` mails may begin, not later than `until`. Paces space them evenly: a mail that is granted and does not begin is
 * lost. Quotas are spent as fast as that goes; what began longer ago than their window is free again.
 */
export function granted(
  { paces, quotas }: { paces: readonly Pace[]; quotas: readonly Quota[] },
  { now, until, most }: { now: number; until: number; most: number },
): Grant {
  const left = Math.min(most, ...quotas.map(({ limit, used }) => Math.max(0, limit - used)));
  const next = paces.map(({ next_at }) => next_at);
  const begins: number[] = [];
  while (begins.length < left) {
    const begin = Math.max(now, ...next);
    if (begin > until) break;
    begins.push(begin);
    for (const [index, { per_second }] of paces.entries()) next[index] = begin + spacingOf(per_second);
  }
  if (begins.length > 0) return { begins, paces: next, free_at: null };
  const full = quotas.flatMap(({ limit, used, free_at }) => (used < limit ? [] : (free_at ?? [])));
  return { begins, paces: next, free_at: Math.max(now, ...next, ...full) };
}

/** Between the beginnings of two mails; rounded up, so that no second holds more. */
export function spacingOf(per_second: number): number {
  return Math.ceil(SECOND / per_second);
}

/** How fine a quota knows when mails began: what began within so much is one span, and free when its last one is. */
const GRAINS: Readonly<Record<WindowName, number>> = { hour: SECOND / 10, day: SECOND };

/** The end of the span in which a mail counts that begins at an instant. */
function spanEnd(window: WindowName, begin: number): number {
  return Math.ceil(begin / GRAINS[window]) * GRAINS[window];
}

/** Mails that begin at these instants as spans, in order. */
export function spansOf(window: WindowName, begins: readonly number[]): Span[] {
  const counts = new Map<number, number>();
  for (const begin of begins) {
    const until = spanEnd(window, begin);
    counts.set(until, (counts.get(until) ?? 0) + 1);
  }
  return [...counts].map(([until, count]) => ({ until, count }));
}

/** The least rate that limits allow, as mails in a span of seconds; null where there is none. */
export function leastRate(throttles: readonly MailThrottle[]): { mails: number; seconds: number } | null {
  const rates = throttles.flatMap(({ per_second, per_hour, per_day }) => [
    ...(per_second === null ? [] : [{ mails: per_second, seconds: 1 }]),
    ...(per_hour === null ? [] : [{ mails: per_hour, seconds: 3_600 }]),
    ...(per_day === null ? [] : [{ mails: per_day, seconds: 86_400 }]),
  ]);
  const [first, ...others] = rates;
  if (!first) return null;
  return others.reduce((least, rate) => (isSlower(rate, least) ? rate : least), first);
}

function isSlower(
  one: { mails: number; seconds: number },
  other: { mails: number; seconds: number },
): boolean {
  return one.mails * other.seconds < other.mails * one.seconds;
}
