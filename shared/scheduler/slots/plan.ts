import { dayOf, type Zone, zoneOf } from '../../kernel/local-time.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import { stepOf } from './grid.ts';
import { fullDays } from './limits.ts';
import type { EventRules, Host, Question, Session } from './types.ts';

const MINUTE = 60_000;

/** A question made ready: what is the same for every start and member. Minutes are since 1970 in UTC. */
export type Plan = {
  event_type: EventRules;
  hosts: readonly Host[];
  /** The grid's. */
  zone: Zone;
  interval_minutes: number;
  step: number;
  bounds: Bounds;
  /** Days since 1970. */
  holidays: ReadonlySet<number>;
  /** Whether the limits leave a day no further start. */
  isFull: (day: number) => boolean;
  /** The sessions of the wanted length, by the minute of their start. */
  sessions: ReadonlyMap<number, Session>;
};

/** Makes a question ready. */
export function planOf(question: Question): Plan {
  const { event_type, hosts, now } = question;
  const zone = zoneOf(event_type.time_zone);
  const interval_minutes = event_type.slot_interval_minutes ?? event_type.duration_minutes;
  const holidays = new Set(question.holidays.map(dayOf));
  const length = event_type.duration_minutes * MINUTE;
  const sessions = question.sessions.filter(({ start, end }) => end - start === length);
  return {
    event_type,
    hosts,
    zone,
    interval_minutes,
    step: stepOf(interval_minutes),
    bounds: boundsOf(event_type, now, zone, holidays),
    holidays,
    isFull: fullDays(question, event_type, zone),
    sessions: new Map(sessions.map((session) => [session.start / MINUTE, session])),
  };
}
