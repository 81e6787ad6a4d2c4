import type { Database } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { type BookingHappening, bookingChanged } from '../../shared/scheduler/bookings/changes.ts';
import {
  BookingHostModel,
  BookingModel,
  type BookingRecord,
} from '../../shared/scheduler/bookings/record.ts';
import { sequenceAfter } from '../../shared/scheduler/icalendar/sequence.ts';

/** A booking as it was made: confirmed, of a guest in New York who reads English, two days after `now`. */
export function bookingMade(now: Date, fields: Partial<BookingRecord>): BookingRecord {
  const at = now.toISOString();
  const start = new Date(now.getTime() + 2 * 24 * 60 * 60_000);
  start.setUTCMinutes(0, 0, 0);
  return {
    id: newId('book', now),
    event_type_id: null,
    title: '初回相談',
    status: 'confirmed',
    is_counted: true,
    start: start.toISOString(),
    end: new Date(start.getTime() + 40 * 60_000).toISOString(),
    guest: {
      name: 'Hanako Sato',
      email: 'hanako@example.com',
      time_zone: 'America/New_York',
      locale: 'en',
      phone: null,
    },
    guest_email_key: 'hanako@example.com',
    additional_guests: [],
    answers: {},
    user_ids: [],
    assignment_reason: null,
    assigned_at: at,
    location: null,
    source: 'public',
    proposal_id: null,
    session_id: null,
    revision: 0,
    ics_sequence: 0,
    history: [],
    pending_expires_at: fields.status === 'pending' ? start.toISOString() : null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    calendar_sync: 'none',
    form_key: null,
    external_id: null,
    metadata: {},
    created_by: null,
    created_at: at,
    updated_at: at,
    ...fields,
  };
}

type Where = { organization_id: string; now?: Date };

/** Writes a change of a booking as an operation does, past the rules about what may be changed when. Answers it as it is then. */
export async function changeBooking(
  { database }: { database: Database },
  { organization_id, now = new Date() }: Where,
  action: BookingHappening,
  [before, changes]: [BookingRecord | null, Partial<BookingRecord>],
): Promise<BookingRecord> {
  const changed = { ...(before ?? bookingMade(now, changes)), ...changes };
  const pending_expires_at = changed.status === 'pending' ? changed.start : null;
  const is_counted = ['pending', 'confirmed'].includes(changed.status);
  const after = { ...changed, pending_expires_at, is_counted, ics_sequence: sequenceAfter(before, changed) };
  const write = async (work: Work) => {
    const row = { ...after, search_text: '', search_grams: [] };
    if (before) work.update(BookingModel, after.id, row);
    else work.insert(BookingModel, row);
    const { id, start, user_ids } = after;
    work.run('DELETE FROM scheduler_booking_hosts WHERE organization_id = $1 AND booking_id = $2', [
      organization_id,
      id,
    ]);
    work.insertAll(
      BookingHostModel,
      user_ids.map((user_id) => ({ booking_id: id, user_id, start })),
    );
    await bookingChanged(work, { action, before, after, notify: true });
  };
  const reader = { organization_id, actor: systemActor, now, request_id: null, ip_address: null };
  await database.withConnection(organization_id, (connection) => inWork({ ...reader, connection }, write));
  return after;
}
