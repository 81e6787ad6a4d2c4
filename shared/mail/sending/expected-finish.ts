import type { MailThrottle } from '../throttle.ts';
import { leastRate } from './limits.ts';

export type Sending = {
  /** ISO 8601. Of a campaign that is to begin later, when it begins. */
  from: string;
  queued: number;
  /** Of the campaign, of the organization and of the installation. */
  throttles: readonly MailThrottle[];
  /** Mails that left in the last minute; null before the start. */
  last_minute: number | null;
};

/**
 * When the last mail leaves, at the lesser of what the limits allow and the speed of the last minute, rounded up to a second. By the
 * limits alone before the start and without a mail in that minute; null where there is nothing to go by.
 */
export function expectedFinish({ from, queued, throttles, last_minute }: Sending): string | null {
  const limit = leastRate(throttles);
  const speed = last_minute ? { mails: last_minute, seconds: 60 } : null;
  const durations = [limit, speed].filter((rate) => rate !== null);
  if (durations.length === 0) return null;
  const seconds = durations.map(({ mails, seconds }) => secondsUntil(from, queued, { mails, seconds }));
  return new Date(Math.max(...seconds) * 1000).toISOString();
}

/** Whole seconds since 1970, of exact fractions. */
function secondsUntil(
  from: string,
  queued: number,
  { mails, seconds }: { mails: number; seconds: number },
): number {
  const over = BigInt(mails) * 1000n;
  const sum = BigInt(Date.parse(from)) * BigInt(mails) + BigInt(queued) * BigInt(seconds) * 1000n;
  return Number((sum + over - 1n) / over);
}
