import type { MailThrottle } from '../throttle.ts';

/** Seconds of the time that each limit is of. */
const PERIODS = { per_second: 1, per_hour: 3_600, per_day: 86_400 } as const;

/** What a campaign's speed follows from. */
export type Pace = {
  /** The limits of the campaign and of its organization. */
  throttles: readonly MailThrottle[];
  /** What the installation allows in a second; null: no limit. */
  most_per_second: number | null;
  /** Mails of the campaign that left in the last minute. */
  sent_in_last_minute: number;
};

/**
 * When so many mails will have left that begin at an instant, rounded up to a second: at the least of all limits, or as fast as those of
 * the last minute if that is slower. Null where neither says anything.
 */
export function finishOf(begin: string, queued: number, pace: Pace): string | null {
  const durations = limitsOf(pace).map(({ most, seconds }) => Math.ceil((queued * seconds * 1_000) / most));
  if (durations.length === 0) return null;
  const milliseconds = Date.parse(begin) + Math.max(...durations);
  return new Date(Math.ceil(milliseconds / 1_000) * 1_000).toISOString();
}

function limitsOf({ throttles, most_per_second, sent_in_last_minute }: Pace) {
  const limits = [...throttles, { per_second: most_per_second, per_hour: null, per_day: null }];
  const stated = limits.flatMap((throttle) =>
    Object.entries(PERIODS).map(([name, seconds]) => ({
      most: throttle[name as keyof typeof PERIODS],
      seconds,
    })),
  );
  const spent = sent_in_last_minute === 0 ? null : sent_in_last_minute;
  return [...stated, { most: spent, seconds: 60 }].flatMap(({ most, seconds }) =>
    most === null ? [] : [{ most, seconds }],
  );
}
