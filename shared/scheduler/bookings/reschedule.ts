import type { Reader } from '../../kernel/reader.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import type { LiveBusy } from '../calendars/live/ask.ts';
import { eventTypeOfBooking } from '../event-types/queries.ts';
import type { EventType } from '../event-types/record.ts';
import { release } from '../occupancies/occupy.ts';
import { standingOf } from './book.ts';
import { lengthOf } from './guest.ts';
import type { Rescheduling } from './input.ts';
import { moveEndOfLink } from './links.ts';
import { type LiveWanted, NOBODY_ASKED } from './live.ts';
import { liveMembers } from './live-members.ts';
import { countForMailboxes } from './mailed.ts';
import { minutesOf, recordsOfMove } from './moving.ts';
import { placeBooking } from './place.ts';
import type { BookingRecord } from './record.ts';
import { bookingRow, lockBooking } from './rows.ts';
import { saveBooking } from './save.ts';
import { leaveSession } from './sessions.ts';
import { takeStart } from './start.ts';
import { NO_TYPE, requireAction, requireGuestAction } from './transitions.ts';

const MINUTE = 60_000;

/**
 * Moves a booking to another time or other hosts: the same booking, link and calendar entry. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`, `not_reschedulable`, those of `takeStart`.
 */
export async function rescheduleBooking(
  work: Work,
  id: string,
  asked: Rescheduling,
  live: LiveBusy = NOBODY_ASKED,
): Promise<BookingRecord> {
  const before = await lockBooking(work, id);
  work.precondition(before);
  requireAction(before, 'reschedule', work.now, work.actor);
  const event_type = await eventTypeOfBooking(work, before.event_type_id!);
  return move(work, before, event_type, { ...asked, live }, 'staff');
}

/** The same by the guest, who chooses a start alone. Errors: `cutoff_passed` and those of `countForMailboxes` besides. */
export async function rescheduleAsGuest(
  work: Work,
  id: string,
  start: string,
  live: LiveBusy = NOBODY_ASKED,
): Promise<BookingRecord> {
  const before = await lockBooking(work, id);
  const event_type =
    before.event_type_id === null ? null : await eventTypeOfBooking(work, before.event_type_id);
  requireGuestAction(before, 'reschedule', work.now, event_type ?? NO_TYPE);
  const moved = await move(work, before, event_type!, { start, force: false, notify: true, live }, 'guest');
  if (moved !== before) await countForMailboxes(work, moved);
  return moved;
}

async function move(
  work: Work,
  before: BookingRecord,
  event_type: EventType,
  { start, duration_minutes, user_ids, force, notify, live }: Rescheduling & { live: LiveBusy },
  by: 'guest' | 'staff',
): Promise<BookingRecord> {
  const length = minutesOf(before);
  // The length that a booking has stays possible, whatever the type offers by now.
  const wantedLength =
    duration_minutes === undefined || duration_minutes === length
      ? length
      : lengthOf(event_type, duration_minutes);
  const end = new Date(Date.parse(start) + wantedLength * MINUTE).toISOString();
  const asksForHosts =
    user_ids !== undefined && !isSameJson([...user_ids].sort(), [...before.user_ids].sort());
  if (start === before.start && end === before.end && !asksForHosts) {
    work.nothingChanged();
    return before;
  }
  const taken = await takeStart(work, {
    event_type,
    start: Date.parse(start),
    duration_minutes: wantedLength,
    without: await recordsOfMove(work, before),
    user_ids: user_ids ?? null,
    kept: { user_ids: before.user_ids, assignment_reason: before.assignment_reason },
    force,
    live,
  });
  release(work, [before.id]);
  if (before.session_id !== null) await leaveSession(work, before.session_id);
  await work.flush();
  const standing =
    by === 'guest' && event_type.confirmation.mode === 'manual'
      ? standingOf(event_type, 'public', start, work.now)
      : pendingUntil(before, start);
  const assignedTo = (hosts: readonly string[]) =>
    isSameJson(hosts, before.user_ids) ? before.assigned_at : work.now.toISOString();
  const span = { id: before.id, start, end, ...standing, assigned_at: assignedTo(taken.user_ids) };
  const placed = await placeBooking(work, event_type, span, taken);
  moveEndOfLink(work, { id: before.id, end });
  return saveBooking(
    work,
    before,
    {
      start,
      end,
      ...standing,
      ...placed,
      assignment_reason: isSameJson(placed.user_ids, before.user_ids)
        ? before.assignment_reason
        : taken.assignment_reason,
      assigned_at: assignedTo(placed.user_ids),
      revision: before.revision + 1,
      history: [
        ...before.history,
        {
          revision: before.revision,
          start: before.start,
          end: before.end,
          user_ids: before.user_ids,
          changed_at: work.now.toISOString(),
          changed_by: by,
        },
      ],
    },
    { action: 'rescheduled', notify },
  );
}

/** A pending booking that is moved waits on, until its new start at most. */
function pendingUntil(
  { status, is_counted, pending_expires_at }: BookingRecord,
  start: string,
): Pick<BookingRecord, 'status' | 'is_counted' | 'pending_expires_at'> {
  const until = pending_expires_at !== null && start < pending_expires_at ? start : pending_expires_at;
  return { status, is_counted, pending_expires_at: until };
}

/** What a booking that is to be moved asks the calendars of its type's members about. Errors: `not_found`. */
export async function liveOfMove(
  reader: Reader,
  id: string,
  {
    start,
    duration_minutes: asked,
    user_ids,
    force,
  }: Pick<Rescheduling, 'start' | 'duration_minutes' | 'user_ids' | 'force'>,
): Promise<LiveWanted> {
  const booking = await bookingRow(reader, id);
  if (booking.event_type_id === null || force) return null;
  const event_type = await eventTypeOfBooking(reader, booking.event_type_id);
  const duration_minutes = asked ?? minutesOf(booking);
  const without = await recordsOfMove(reader, booking);
  const wanted = { event_type, start, duration_minutes, user_ids, kept: booking.user_ids, without };
  return {
    event_type: { ...event_type, members: await liveMembers(reader, wanted) },
    start,
    duration_minutes,
  };
}
