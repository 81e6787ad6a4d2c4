import { invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { withLive } from '../calendars/live/apply.ts';
import type { LiveBusy } from '../calendars/live/ask.ts';
import { lockEventType } from '../event-types/lock.ts';
import type { EventType } from '../event-types/record.ts';
import { lockHosts } from '../occupancies/hosts.ts';
import { settleOverdue } from '../occupancies/overdue.ts';
import { slotTaken } from '../occupancies/record.ts';
import { questionOf } from '../questions/question.ts';
import { startsOf } from '../slots/starts.ts';
import type { Host, Question, Session } from '../slots/types.ts';
import { type Assigned, assignHosts } from './assignment.ts';
import { refusalOf } from './refusals.ts';

const MINUTE = 60_000;

/** A start that somebody wants. */
export type Wanted = {
  event_type: EventType;
  /** Milliseconds since 1970. */
  start: number;
  duration_minutes: number;
  /** Records that do not count: the booking that is moved, the hold that is used up. */
  without: readonly string[];
  /** The hosts that were asked for, of the members; null: as round robin says. */
  user_ids: readonly string[] | null;
  /** Who hosts if they are free: those of the booking that is moved, or of the hold. */
  kept: Assigned | null;
  /** Whether nothing but bookings and holds is in the way. */
  force: boolean;
  /** What the calendars of the members said just now. */
  live: LiveBusy;
};

/** A start that was taken: who hosts, and the session that it is in where guests share it. */
export type Taken = Assigned & { in_session: boolean; time_zone: string };

type Asked = { question: Question; time_zone: string };

/**
 * Finds out whether a start can be booked and who hosts it, and holds the locks that keep it so until the work commits: who
 * cannot have it learns so before anything is locked; then come the event type, the hosts in the order of their IDs, what has
 * expired, and the question once more. Errors: `slot_taken`, `limit_reached`, `calendar_unavailable`, `not_bookable`,
 * `unavailable`, `validation_failed` at /user_ids.
 */
export async function takeStart(work: Work, wanted: Wanted): Promise<Taken> {
  const { event_type } = wanted;
  // Without anybody who decides whether it is free, there is nobody to be booked.
  if (event_type.members.every(({ role }) => role === 'optional')) throw refusalOf('outside_hours');
  // `force` passes over rules, but a start is a whole minute by what it is.
  if (wanted.force && wanted.start % MINUTE !== 0) throw refusalOf('not_aligned');
  const places = placesOf(wanted);
  hostsOf(await ask(work, wanted), wanted, places);
  await lockEventType(work, event_type);
  const user_ids = event_type.members.map((member) => member.user_id);
  await lockHosts(work, user_ids);
  await settleOverdue(work, user_ids);
  const asked = await ask(work, wanted);
  const chosen = hostsOf(asked, wanted, places);
  const in_session = sessionAt(asked.question, wanted) !== undefined;
  const { time_zone } = asked;
  if (chosen !== 'by turn') return { ...chosen, in_session, time_zone };
  const { start, without } = wanted;
  const free = freeAt(asked.question, wanted);
  const assigned = await assignHosts(work, { event_type, free, start, time_zone, without });
  return { ...assigned, in_session, time_zone };
}

/** Where the hosts that were asked for stand among the members; null: none were asked for. */
function placesOf({ event_type, user_ids }: Wanted): number[] | null {
  if (user_ids === null) return null;
  const places = user_ids.map((user_id) =>
    event_type.members.findIndex((member) => member.user_id === user_id),
  );
  const errors = places.flatMap((place, index) => {
    const isTwice = place >= 0 && places.indexOf(place) < index;
    if (place >= 0 && !isTwice) return [];
    return [
      {
        in: 'body' as const,
        path: `/user_ids/${index}`,
        code: isTwice ? 'duplicate' : 'not_a_member',
        message: isTwice
          ? { en: 'this host is named twice', ja: '同じ主催者が2回指定されています' }
          : {
              en: 'this is no member of the event type',
              ja: 'このイベントタイプのメンバーではありません',
            },
      },
    ];
  });
  if (errors.length > 0) throw invalidAll(errors);
  return places.toSorted((one, other) => one - other);
}

async function ask(
  reader: Reader,
  { event_type, start, duration_minutes, without, force, live }: Wanted,
): Promise<Asked> {
  const { question, time_zone } = await questionOf(reader, {
    event_type: force ? withoutBounds(event_type) : event_type,
    duration_minutes,
    from: start,
    to: start + MINUTE,
    without: { record_ids: without },
    past: force,
  });
  const user_ids = event_type.members.map(({ user_id }) => user_id);
  return { question: withLive(question, user_ids, live), time_zone };
}

/** An event type that bounds no start: what remains are the windows and blocks of its members. */
export function withoutBounds(event_type: EventType): EventType {
  return {
    ...event_type,
    slot_interval_minutes: 1,
    min_notice_minutes: 0,
    booking_window: { type: 'none' },
    limits: {
      per_day: null,
      per_week: null,
      per_month: null,
      minutes_per_day: null,
      active_per_guest: null,
    },
  };
}

/** Who hosts; `by turn` where that is still to be chosen of who is free. Errors: why the start cannot be booked. */
function hostsOf(
  { question }: Asked,
  wanted: Wanted,
  places: readonly number[] | null,
): Assigned | 'by turn' {
  const { event_type, kept } = wanted;
  const idOf = (place: number) => event_type.members[place]!.user_id;
  if (places) {
    requireFree(narrowed(question, places), wanted);
    return { user_ids: places.map(idOf), assignment_reason: null };
  }
  const keptPlaces = kept?.user_ids.map((user_id) =>
    event_type.members.findIndex((member) => member.user_id === user_id),
  );
  if (kept && keptPlaces && !keptPlaces.includes(-1) && isFree(narrowed(question, keptPlaces), wanted)) {
    return kept;
  }
  requireFree(question, wanted);
  return 'by turn';
}

/** The question about some of the hosts, all of whom are required. */
function narrowed(question: Question, places: readonly number[]): Question {
  return {
    ...question,
    hosts: places.map((place): Host => ({ ...question.hosts[place]!, role: 'required' })),
  };
}

function isFree(question: Question, wanted: Wanted): boolean {
  return refusalAt(question, wanted) === null;
}

function requireFree(question: Question, wanted: Wanted): void {
  const refusal = refusalAt(question, wanted);
  if (refusal) throw refusal;
}

/** Why a start cannot be booked; null where it can. */
function refusalAt(question: Question, wanted: Wanted) {
  if (!wanted.force) {
    const { reason } = startsOf(question).verdict(wanted.start);
    return reason && refusalOf(reason);
  }
  const session = sessionAt(question, wanted);
  if (session) return session.seats_left > 0 ? null : slotTaken('seats_full');
  const free = freeAt(question, wanted);
  const rotating = question.hosts.flatMap(({ role }, place) => (role === 'rotating' ? [place] : []));
  const isTaken =
    question.hosts.some(({ role }, place) => role === 'required' && !free[place]) ||
    (rotating.length > 0 && !rotating.some((place) => free[place]));
  return isTaken ? slotTaken() : null;
}

/** Which hosts are free; with `force`, which have no booking and no hold then. */
function freeAt(question: Question, { start, duration_minutes, force }: Wanted): boolean[] {
  if (!force) return startsOf(question).free(start);
  const end = start + duration_minutes * MINUTE;
  return question.hosts.map(
    ({ blocks }) =>
      !blocks.some(
        (block) =>
          (block.kind === 'booking' || block.kind === 'hold') && block.start < end && block.end > start,
      ),
  );
}

function sessionAt({ sessions }: Question, { start, duration_minutes }: Wanted): Session | undefined {
  return sessions.find(
    (session) => session.start === start && session.end === start + duration_minutes * MINUTE,
  );
}
