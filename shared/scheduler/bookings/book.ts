import { Failure, unknownReference } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { digitsOf } from '../../platform/search/normalise.ts';
import type { LiveBusy } from '../calendars/live/ask.ts';
import { eventTypeById, livingEventTypeBySlug } from '../event-types/queries.ts';
import type { EventType } from '../event-types/record.ts';
import { heldBy } from '../holds/queries.ts';
import { removeHolds } from '../occupancies/overdue.ts';
import { schedulerSettingsOf } from '../settings/queries.ts';
import { checkedAnswers } from './answers.ts';
import { bookingChanged } from './changes.ts';
import { checkSent, guestOf, lengthOf, locationOf } from './guest.ts';
import type { BookingInput, GuestBookingInput } from './input.ts';
import { type LiveWanted, NOBODY_ASKED } from './live.ts';
import { liveMembers } from './live-members.ts';
import { countForMailboxes } from './mailed.ts';
import { placeBooking } from './place.ts';
import { BookingModel, type BookingRecord, emailKey } from './record.ts';
import { findBookingOfForm } from './rows.ts';
import { writeHosts } from './save.ts';
import { takeStart, type Wanted } from './start.ts';

const MINUTE = 60_000;

/** What of a booking its way decides: the staff's, a guest's, a proposal's. */
type Way = Pick<Wanted, 'user_ids' | 'force' | 'without' | 'kept' | 'live'> & {
  source: 'public' | 'staff';
  notify: boolean;
  form_key: string | null;
  own_keys: Pick<BookingInput, 'external_id' | 'metadata'>;
};

/**
 * Books for a guest on the page of an active event type. With the key of a form that booked already, it is that booking, and
 * nothing happens. Errors: `not_found`, those of `book` and `countForMailboxes`.
 */
export async function bookAsGuest(
  work: Work,
  slug: string,
  { hold_token, ...input }: GuestBookingInput,
  form_key: string | null = null,
  live: LiveBusy = NOBODY_ASKED,
): Promise<{ booking: BookingRecord; event_type: EventType }> {
  const event_type = await livingEventTypeBySlug(work, slug);
  if (!event_type.is_active) throw new Failure('not_found');
  if (form_key !== null) {
    const booking = await findBookingOfForm(work, form_key);
    if (booking) {
      work.nothingChanged();
      return { booking, event_type };
    }
    work.repeatOn('scheduler_bookings_form_once');
  }
  const held = hold_token === undefined ? null : await heldBy(work, event_type.id, hold_token);
  const booking = await book(work, event_type, input, {
    source: 'public',
    user_ids: null,
    force: false,
    without: held ? [held.id] : [],
    kept: held?.start === input.start ? held : null,
    live,
    notify: true,
    form_key,
    own_keys: {},
  });
  await countForMailboxes(work, booking);
  return { booking, event_type };
}

/** Books for a guest whom staff have at the telephone. Errors: `unknown_reference` at /event_type_id, those of `book`. */
export async function bookAsStaff(
  work: Work,
  input: BookingInput,
  live: LiveBusy = NOBODY_ASKED,
): Promise<BookingRecord> {
  const { event_type_id, user_ids = null, force, notify, external_id, metadata, ...rest } = input;
  const event_type = await eventTypeById(work, event_type_id).catch((error) => {
    if (error instanceof Failure && error.code === 'not_found')
      throw unknownReference('/event_type_id', event_type_id);
    throw error;
  });
  return book(work, event_type, rest, {
    source: 'staff',
    user_ids,
    force,
    without: [],
    kept: null,
    live,
    notify,
    form_key: null,
    own_keys: { external_id, metadata },
  });
}

/**
 * Books a start of an event type, once. Errors: `slot_taken`, `already_booked`, `limit_reached`, `calendar_unavailable`,
 * `not_bookable`, `validation_failed` at /duration_minutes, /answers/<id>, /additional_guests, /location_type, /guest/phone,
 * /user_ids; `unavailable`.
 */
async function book(
  work: Work,
  event_type: EventType,
  input: Omit<GuestBookingInput, 'hold_token'>,
  way: Way,
): Promise<BookingRecord> {
  checkSent(input, event_type);
  const duration_minutes = lengthOf(event_type, input.duration_minutes);
  const answers = checkedAnswers(event_type.questions, input.answers);
  const location = locationOf(input, event_type);
  const { start } = input;
  const wanted = { event_type, start: Date.parse(start), duration_minutes, ...way };
  const taken = await takeStart(work, wanted);
  removeHolds(work, way.without);
  const guest = guestOf(input, event_type, await schedulerSettingsOf(work), taken.time_zone);
  if (!way.force) await requireFewActive(work, event_type, guest.email);

  const at = work.now.toISOString();
  const id = newId('book', work.now);
  const end = new Date(wanted.start + duration_minutes * MINUTE).toISOString();
  const { status, is_counted, pending_expires_at } = standingOf(event_type, way.source, start, work.now);
  const span = { id, start, end, is_counted, pending_expires_at, assigned_at: at };
  const placed = await placeBooking(work, event_type, span, taken);
  const booking: BookingRecord = {
    ...span,
    ...placed,
    event_type_id: event_type.id,
    title: event_type.title,
    status,
    guest,
    guest_email_key: emailKey(guest.email),
    additional_guests: input.additional_guests,
    answers,
    assignment_reason: taken.in_session ? null : taken.assignment_reason,
    location,
    source: way.source,
    proposal_id: null,
    revision: 0,
    ics_sequence: 0,
    history: [],
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    calendar_sync: 'none',
    form_key: way.form_key,
    external_id: way.own_keys.external_id ?? null,
    metadata: metadataAfter({}, way.own_keys.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
  await insertBooking(work, booking, way.notify);
  return booking;
}

/** Writes a new booking whose time is taken, with all that follows from it. */
export async function insertBooking(work: Work, booking: BookingRecord, notify: boolean): Promise<void> {
  const search_text = bookingSearchText(booking);
  work.insert(BookingModel, { ...booking, search_text, search_grams: gramsOf(search_text) });
  writeHosts(work, booking);
  await bookingChanged(work, { action: 'created', before: null, after: booking, notify });
}

/** A booking is found by its title and by the name, address and telephone of the guest. */
export function bookingSearchText({ title, guest }: Pick<BookingRecord, 'title' | 'guest'>): string {
  return searchText([title, guest.name, guest.email, guest.phone && digitsOf(guest.phone)]);
}

/**
 * The status that a booking of a time has: a guest's on a type that asks for confirmation waits for it, as long as the type says
 * and until its start at most. `is_counted`: whether it takes its time and counts for the limits.
 */
export function standingOf(
  { confirmation }: EventType,
  by: 'public' | 'staff',
  start: string,
  now: Date,
): Pick<BookingRecord, 'status' | 'is_counted' | 'pending_expires_at'> {
  if (by === 'staff' || confirmation.mode === 'auto') {
    return { status: 'confirmed', is_counted: true, pending_expires_at: null };
  }
  const expires_at = now.getTime() + confirmation.expires_after_minutes * MINUTE;
  return {
    status: 'pending',
    is_counted: confirmation.pending_blocks,
    pending_expires_at: new Date(Math.min(expires_at, Date.parse(start))).toISOString(),
  };
}

/** Sees that an e-mail address has not too many bookings of the type ahead. Errors: `limit_reached`. */
async function requireFewActive(
  { connection, organization_id, now }: Work,
  { id, limits: { active_per_guest } }: EventType,
  address: string,
): Promise<void> {
  if (active_per_guest === null) return;
  const ahead = await connection.query(
    `SELECT FROM scheduler_bookings
      WHERE organization_id = $1 AND guest_email_key = $2 AND "start" > $3 AND event_type_id = $4
        AND (status = 'confirmed' OR (status = 'pending' AND pending_expires_at > $3))
      LIMIT $5`,
    [organization_id, emailKey(address), now.toISOString(), id, active_per_guest],
  );
  if (ahead.length < active_per_guest) return;
  throw new Failure('limit_reached', {
    detail: {
      en: `This address has ${active_per_guest} bookings ahead, which is as many as it may have`,
      ja: `このメールアドレスでは、これからの予約が上限の${active_per_guest}件に達しています`,
    },
  });
}

/** What the calendars of a type's members are asked about before a guest or staff book. */
export async function liveOfBooking(
  reader: Reader,
  event_type: EventType,
  {
    start,
    duration_minutes = event_type.duration_minutes,
    user_ids,
    hold_token,
  }: Pick<GuestBookingInput, 'start' | 'duration_minutes' | 'hold_token'> & Pick<BookingInput, 'user_ids'>,
): Promise<LiveWanted> {
  const held = hold_token === undefined ? null : await heldBy(reader, event_type.id, hold_token);
  const kept = held?.start === start ? held.user_ids : [];
  const without = held ? [held.id] : [];
  const wanted = { event_type, start, duration_minutes, user_ids, kept, without };
  return {
    event_type: { ...event_type, members: await liveMembers(reader, wanted) },
    start,
    duration_minutes,
  };
}
