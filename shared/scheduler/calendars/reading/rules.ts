import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { DAY } from '../../../kernel/days.ts';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { instantOf, wallTimeIn } from './zones.ts';

/** More periods of a rule than these are not gone through. Daily since 1753, or hourly for eleven years. */
const MOST_PERIODS = 100_000;

/**
 * The starts that a rule gives between two instants (milliseconds), which may be a few days more (RFC 5545, 3.3.10). Rules
 * count on the clock of the event: it is taken for that of UTC, and each start is put back into the zone of the first one.
 * ical.js is not asked, which leaves out starts of some rules and adds some. Refuses `too_many_events`.
 */
export function startsByRule(
  rule: ICAL.Recur,
  first: ICAL.Time,
  { from, to, floating }: { from: number; to: number; floating: string },
): ICAL.Time[] {
  if (rule.until && instantOf(rule.until, floating) < from - 2 * DAY) return [];
  const counted = new RRuleTemporal({
    rruleString: `RRULE:${textOf(rule, first, floating)}`,
    dtstart: clockOf(first).toZonedDateTime('UTC'),
    maxIterations: MOST_PERIODS,
  });
  return between(counted, new Date(from - 2 * DAY), new Date(to + 2 * DAY)).map((start) => {
    const { year, month, day, hour, minute, second } = start;
    return new ICAL.Time({ year, month, day, hour, minute, second, isDate: first.isDate }, first.zone);
  });
}

function between(rule: RRuleTemporal, from: Date, to: Date): Temporal.ZonedDateTime[] {
  try {
    return rule.between(from, to, true);
  } catch (error) {
    if (/^Maximum /.test((error as Error).message)) throw new UnreadableFile('too_many_events');
    throw error;
  }
}

/** The rule with its end on the clock of the event. A date as the end holds to the end of that date. */
function textOf(rule: ICAL.Recur, first: ICAL.Time, floating: string): string {
  const parts = rule.toString().split(';');
  if (!rule.until) return parts.join(';');
  const end = rule.until.isDate
    ? clockOf(rule.until).with({ hour: 23, minute: 59, second: 59 })
    : clockOf(endOnClock(rule.until, first, floating));
  const text = end.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
  return [...parts.filter((part) => !part.startsWith('UNTIL=')), `UNTIL=${text}Z`].join(';');
}

function endOnClock(until: ICAL.Time, first: ICAL.Time, floating: string): ICAL.Time {
  if (until.zone === ICAL.Timezone.localTimezone) return until;
  return wallTimeIn(first, instantOf(until, floating), floating);
}

function clockOf({ year, month, day, hour, minute, second }: ICAL.Time): Temporal.PlainDateTime {
  return new Temporal.PlainDateTime(year, month, day, hour, minute, second);
}
