import type { MailThrottle } from '../throttle.ts';
import { leastRate } from './limits.ts';

export type Sending = {
  /** ISO 8601. Of a campaign that is to begin later, when it begins. */
  from: string;
  queued: number;
  /** Of the campaign, of the organization and of the installation. */
  throttles: readonly MailThrottle[];
  /** Mails that left lately, within so many milliseconds; null before the start. */
  lately: { mails: number; milliseconds: number } | null;
  /** ISO 8601: the latest time at which somebody queued is tried again; null where nobody waits for one. */
  latest_attempt_at: string | null;
  /** Whether nobody is queued but those who wait for such a time. */
  is_waiting: boolean;
  /** Whether the mail server is away. */
  is_unreachable: boolean;
};

/** Milliseconds in which mails tell the speed of a campaign, at the most and at the least. */
export const LATELY = 60_000;
const SHORTEST = 1_000;

/**
 * For how long the mails of the last minute were counted: since the campaign began or was resumed, where that is less long ago. ISO 8601;
 * `since` null: longer ago.
 */
export function timeOfLately(since: string | null, now: string): number {
  if (since === null) return LATELY;
  return Math.min(LATELY, Math.max(SHORTEST, Date.parse(now) - Date.parse(since)));
}

/**
 * When the last mail leaves, at the lesser of what the limits allow and the speed of late, rounded up to a second, and not before the last
 * one is tried again. By the limits alone before the start and without a mail of late; null where there is nothing to go by.
 */
export function expectedFinish(sending: Sending): string | null {
  const { from, queued, throttles, lately, latest_attempt_at, is_waiting, is_unreachable } = sending;
  if (is_unreachable) return null;
  const limit = leastRate(throttles);
  const speed = lately && lately.mails > 0 ? lately : null;
  const durations = [
    ...(limit ? [secondsUntil(from, queued, { ...limit, milliseconds: limit.seconds * 1_000 })] : []),
    ...(speed ? [secondsUntil(from, queued, speed)] : []),
    ...(latest_attempt_at ? [Math.ceil(Date.parse(latest_attempt_at) / 1_000)] : []),
  ];
  if (!limit && !speed && !is_waiting) return null;
  return durations.length === 0 ? null : new Date(Math.max(...durations) * 1_000).toISOString();
}

/** Whole seconds since 1970, of exact fractions. */
function secondsUntil(
  from: string,
  queued: number,
  { mails, milliseconds }: { mails: number; milliseconds: number },
): number {
  const over = BigInt(mails) * 1_000n;
  const sum = BigInt(Date.parse(from)) * BigInt(mails) + BigInt(queued) * BigInt(milliseconds);
  return Number((sum + over - 1n) / over);
}
