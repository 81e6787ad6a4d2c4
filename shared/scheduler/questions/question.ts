import { daysOff, type LeaveInterval } from '../../attendance/days-off.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { EventType } from '../event-types/record.ts';
import type { Availability, Block, EventRules, Host, Question } from '../slots/types.ts';
import { type SettingsOfSlots, type StoredHost, storedHosts } from './hosts.ts';
import { countedOver, reachOf } from './reach.ts';

const MINUTE = 60_000;

/** What is read of a stored event type. */
export type QuestionedType = Pick<
  EventType,
  | 'id'
  | 'slot_interval_minutes'
  | 'buffer_before_minutes'
  | 'buffer_after_minutes'
  | 'min_notice_minutes'
  | 'booking_window'
  | 'limits'
  | 'seats_per_slot'
  | 'time_zone'
  | 'members'
>;

export type Asked = {
  event_type: QuestionedType;
  /** The length that is wanted. */
  duration_minutes: number;
  /** Starts from this to before `to` may be asked about, in milliseconds since 1970. */
  from: number;
  to: number;
  /** Records that do not count: a booking that is moved (and its session, where it is the last in it), the hold of who asks. */
  without?: { record_ids?: readonly string[] };
  /** Whether what is in the way of starts matters that have passed, as it does for who may book these. */
  past?: boolean;
};

/**
 * All that the starts of a stored event type follow from, in a range: the hosts in the order of the members, with what
 * occupies them. `time_zone` is that of the grid (the type's; else, with one member, that of the member's availability, else
 * the settings'). Two statements, however many members; within a transaction it sees what that has written.
 */
export async function questionOf(
  reader: Reader,
  asked: Asked,
): Promise<{ question: Question; time_zone: string }> {
  const { event_type, duration_minutes, from, to, without, past = false } = asked;
  const now = reader.now.getTime();
  const { members, limits, booking_window } = event_type;
  const reach = reachOf({
    from,
    to,
    now,
    earliest: past ? from : now + event_type.min_notice_minutes * MINUTE,
    buffer_before: event_type.buffer_before_minutes * MINUTE,
    in_business_days: booking_window.type === 'business_days',
    counted_over: countedOver(limits),
  });
  const [stored, off] = await Promise.all([
    storedHosts(reader, {
      event_type_id: event_type.id,
      members,
      reach,
      without: without?.record_ids ?? [],
    }),
    daysOff(reader, {
      user_ids: members.map(({ user_id }) => user_id),
      holidays: reach.holidays,
      leave: reach.leave,
    }),
  ]);
  const { settings } = stored;
  const leave = Map.groupBy(settings.block_on_leave ? off.leave : [], ({ user_id }) => user_id);
  const hosts = stored.hosts.map((host, place): Host => {
    const { role } = members[place]!;
    return { role, ...hostOf(host, settings, leave.get(host.user_id) ?? []) };
  });
  const time_zone = event_type.time_zone ?? (hosts.length === 1 ? hosts[0]!.time_zone : settings.time_zone);
  const question: Question = {
    now,
    event_type: rulesOf(event_type, duration_minutes, time_zone),
    hosts,
    holidays: off.holidays.filter(({ counts_as }) => counts_as !== 'workday').map(({ date }) => date),
    week_starts_on: settings.week_starts_on,
    counted: stored.counted,
    sessions: stored.sessions,
  };
  return { question, time_zone };
}

/** Whether a member decides that a start is free: nothing is offered where optional ones alone would host, or nobody. */
export function isHosted({ hosts }: Pick<Question, 'hosts'>): boolean {
  return hosts.some(({ role }) => role !== 'optional');
}

/** What the arithmetic reads of an event type. */
function rulesOf(event_type: QuestionedType, duration_minutes: number, time_zone: string): EventRules {
  const { slot_interval_minutes, buffer_before_minutes, buffer_after_minutes } = event_type;
  const { min_notice_minutes, booking_window, limits, seats_per_slot } = event_type;
  return {
    time_zone,
    duration_minutes,
    slot_interval_minutes,
    buffer_before_minutes,
    buffer_after_minutes,
    min_notice_minutes,
    booking_window,
    limits,
    seats_per_slot,
  };
}

function hostOf(
  { availability, blocks, calendar_works }: StoredHost,
  settings: SettingsOfSlots,
  leave: readonly LeaveInterval[],
): Availability & Pick<Host, 'blocks' | 'calendar_works'> {
  return {
    ...(availability ?? defaultAvailability(settings)),
    blocks: leave.length > 0 ? [...blocks, ...leave.map(leaveBlock)] : blocks,
    calendar_works: calendar_works || settings.calendar_failure === 'open',
  };
}

/** Who has no availability is there when the settings say. */
function defaultAvailability({ default_availability, time_zone }: SettingsOfSlots): Availability {
  return { time_zone, weekly: default_availability.weekly, overrides: [], closed_on_holidays: false };
}

function leaveBlock({ request_id, start_at, end_at }: LeaveInterval): Block {
  return {
    kind: 'leave',
    id: request_id,
    start: Date.parse(start_at),
    end: Date.parse(end_at),
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
  };
}
