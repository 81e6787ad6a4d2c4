import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { Block, Host, Question } from '../../shared/scheduler/slots/types.ts';

const at = (instant: number) => new Date(instant).toISOString();

/** What is stored beside a question: the organization, and its members in the place of the hosts. */
export type StoredFor = { organization_id: string; user_ids: readonly string[] };

/**
 * Stores a question as an event type of an organization, written past the operations: the first hosts are its members. Bookings
 * are those of this type, holds expire an hour after now, and what was stored before is gone. Answers the ID.
 */
export async function storeQuestion(
  database: Database,
  { organization_id, user_ids }: StoredFor,
  { now, event_type, hosts, holidays, week_starts_on, sessions }: Question,
): Promise<string> {
  const made = at(now);
  const id = newId('etype', new Date());
  const booked = new Map<string, { start: number; end: number }>();
  return database.withConnection(organization_id, async ({ query }) => {
    await clear(query, organization_id);
    const run = (text: string, ...values: unknown[]) =>
      query(text, [organization_id, ...values], { prepared: false });
    for (const date of holidays) {
      await run(
        `INSERT INTO attendance_holidays (organization_id, id, date, name, counts_as, created_at, updated_at)
         VALUES ($1, $2, $3, '休業日', 'prescribed_holiday', $4, $4)`,
        newId('hol', new Date()),
        date,
        made,
      );
    }
    await run(
      `INSERT INTO scheduler_settings (organization_id, embed_origins, time_zone, week_starts_on, time_format,
         default_availability, default_reminders, locale, calendar_failure, block_on_leave, updated_at)
       VALUES ($1, '[]', 'Asia/Tokyo', $2, '24', '{"weekly": []}', '[]', 'ja', 'closed', true, $3)`,
      week_starts_on,
      made,
    );
    await run(
      `INSERT INTO scheduler_event_types (organization_id, id, title, slug, duration_minutes, duration_options,
         slot_interval_minutes, buffer_before_minutes, buffer_after_minutes, min_notice_minutes, booking_window, limits,
         seats_per_slot, confirmation, locations, questions, assignment, time_zone, max_additional_guests, is_active,
         search_text, search_grams, created_at, updated_at)
       VALUES ($1, $2, '面談', 'interview', $3, '[]', $4, $5, $6, $7, $8, $9, $10,
         '{"mode": "auto", "expires_after_minutes": 1440, "pending_blocks": true}', '[]', '[]', 'collective', $11, 0, true,
         '面談', '{}', $12, $12)`,
      id,
      event_type.duration_minutes,
      event_type.slot_interval_minutes,
      event_type.buffer_before_minutes,
      event_type.buffer_after_minutes,
      event_type.min_notice_minutes,
      JSON.stringify(event_type.booking_window),
      JSON.stringify({ ...event_type.limits, active_per_guest: null }),
      event_type.seats_per_slot,
      event_type.time_zone,
      made,
    );
    for (const [place, host] of hosts.entries()) {
      const user_id = user_ids[place]!;
      await storeHost(run, { event_type_id: id, user_id, place, host, made });
      for (const block of host.blocks) await storeBlock(run, { event_type_id: id, user_id, block, now });
      for (const { kind, id: name, start, end } of host.blocks) {
        if (kind === 'booking') booked.set(name!, { start, end });
      }
    }
    for (const { start, end } of booked.values())
      await storeBooking(run, { event_type_id: id, start, end, made });
    for (const { start, end, seats_left } of sessions) {
      await run(
        `INSERT INTO scheduler_sessions (organization_id, id, event_type_id, "start", "end", user_ids, seats, taken, status,
           created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, '[]', $6, 1, 'confirmed', $7, $7)`,
        newId('bsess', new Date()),
        id,
        at(start),
        at(end),
        seats_left + 1,
        made,
      );
    }
    return id;
  });
}

type Run = (text: string, ...values: unknown[]) => Promise<unknown>;

async function clear(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  organization_id: string,
): Promise<void> {
  for (const table of [
    'scheduler_occupancies',
    'scheduler_hosts',
    'scheduler_bookings',
    'scheduler_sessions',
    'scheduler_event_type_members',
    'scheduler_event_types',
    'scheduler_availability',
    'scheduler_blocks',
    'scheduler_connections',
    'scheduler_settings',
    'attendance_holidays',
  ]) {
    await query(`DELETE FROM ${table} WHERE organization_id = $1`, [organization_id]);
  }
}

type StoredHost = { event_type_id: string; user_id: string; place: number; host: Host; made: string };

/** The availability is the default of every other host, and named by the others. */
async function storeHost(run: Run, { event_type_id, user_id, place, host, made }: StoredHost): Promise<void> {
  const availability_id = newId('avail', new Date());
  const is_default = place % 2 === 0;
  await run(
    `INSERT INTO scheduler_availability (organization_id, id, user_id, name, time_zone, is_default, weekly, overrides,
       closed_on_holidays, created_at, updated_at)
     VALUES ($1, $2, $3, '平日', $4, $5, $6, $7, $8, $9, $9)`,
    availability_id,
    user_id,
    host.time_zone,
    is_default,
    JSON.stringify(host.weekly),
    JSON.stringify(host.overrides),
    host.closed_on_holidays,
    made,
  );
  await run(
    `INSERT INTO scheduler_event_type_members
       (organization_id, event_type_id, user_id, position, role, priority, availability_id)
     VALUES ($1, $2, $3, $4, $5, 2, $6)`,
    event_type_id,
    user_id,
    place,
    host.role,
    is_default ? null : availability_id,
  );
  await run('INSERT INTO scheduler_hosts VALUES ($1, $2)', user_id);
  await run(
    `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
       last_synced_at, created_at, updated_at)
     VALUES ($1, $2, $2, 'google', 'a', 'a', 'active', $3, $3, $3)`,
    user_id,
    made,
  );
  await run(
    `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
       is_write_target, position)
     VALUES ($1, $2, 'primary', 'a', true, true, true, 0)`,
    user_id,
  );
}

type StoredBlock = { event_type_id: string; user_id: string; block: Block; now: number };

async function storeBlock(run: Run, { event_type_id, user_id, block, now }: StoredBlock): Promise<void> {
  const { kind, id, start, end, buffer_before_minutes, buffer_after_minutes } = block;
  if (kind === 'booking' || kind === 'hold') {
    await run(
      `INSERT INTO scheduler_occupancies VALUES ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9, $10)`,
      kind,
      id ?? newId('bhold', new Date()),
      user_id,
      event_type_id,
      at(start),
      at(end),
      buffer_before_minutes,
      buffer_after_minutes,
      kind === 'hold' ? at(now + 3_600_000) : null,
    );
  } else if (kind === 'block') {
    await run(
      `INSERT INTO scheduler_blocks (organization_id, id, user_id, "start", "end", created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      newId('cevt', new Date()),
      user_id,
      at(start),
      at(end),
      at(now),
    );
  } else {
    await run(
      `INSERT INTO scheduler_external_events VALUES ($1, $2, $3, 'primary', $2, $3, $4, $5, false, 'secret')`,
      newId('cevt', new Date()),
      user_id,
      at(start),
      at(end),
    );
  }
}

type StoredBooking = { event_type_id: string; start: number; end: number; made: string };

async function storeBooking(run: Run, { event_type_id, start, end, made }: StoredBooking): Promise<void> {
  await run(
    `INSERT INTO scheduler_bookings (organization_id, id, event_type_id, title, status, is_counted, "start", "end", guest,
       guest_email_key, user_ids, assigned_at, source, search_text, search_grams, created_at, updated_at)
     VALUES ($1, $2, $3, '面談', 'confirmed', true, $4, $5, '{}', 'a@example.com', '[]', $6, 'public', '', '{}', $6, $6)`,
    newId('book', new Date()),
    event_type_id,
    at(start),
    at(end),
    made,
  );
}
