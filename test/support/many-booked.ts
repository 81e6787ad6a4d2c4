import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { TestActor } from './actors.ts';

/** An ID that follows from a text, in SQL: the letters of a hash are letters of IDs. */
const idOf = (prefix: string, text: string) => `'${prefix}_01' || substr(md5(${text}), 1, 24)`;

type Whose = Pick<TestActor, 'organization_id'>;

const run = (database: Database, { organization_id }: Whose, text: string, ...values: unknown[]) =>
  database.withConnection(organization_id, ({ query }) =>
    query(text, [organization_id, ...values], { prepared: false }),
  );

/** Members who can be booked every day from 8 to 20 in Tokyo. Answers their IDs. */
export async function seedHosts(database: Database, whose: Whose, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('usr', new Date()));
  await database.withConnection('*', ({ query }) =>
    query(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
       SELECT id, '担当', id || '@example.com', true, now(), now() FROM unnest($1::text[]) AS host (id)`,
      [ids],
    ),
  );
  await run(
    database,
    whose,
    `INSERT INTO members (organization_id, id, user_id, role, joined_at, created_at, updated_at)
     SELECT $1, ${idOf('mbr', 'id')}, id, 'member', now(), now(), now() FROM unnest($2::text[]) AS host (id)`,
    ids,
  );
  await run(database, whose, 'INSERT INTO scheduler_hosts SELECT $1, unnest($2::text[])', ids);
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  await run(
    database,
    whose,
    `INSERT INTO scheduler_availability (organization_id, id, user_id, name, time_zone, is_default, weekly, overrides,
       closed_on_holidays, created_at, updated_at)
     SELECT $1, ${idOf('avail', 'id')}, id, '毎日', 'Asia/Tokyo', true, $3, '[]', true, now(), now()
       FROM unnest($2::text[]) AS host (id)`,
    ids,
    JSON.stringify([{ days, start: '08:00', end: '20:00' }]),
  );
  return ids;
}

/** A round robin of hosts, of half an hour every 15 minutes, with buffers and a limit that is never reached. */
export async function seedType(
  database: Database,
  whose: Whose,
  user_ids: readonly string[],
): Promise<string> {
  const id = newId('etype', new Date());
  const limits = {
    per_day: 1_000,
    per_week: null,
    per_month: null,
    minutes_per_day: null,
    active_per_guest: null,
  };
  await run(
    database,
    whose,
    `INSERT INTO scheduler_event_types (organization_id, id, title, slug, duration_minutes, duration_options,
       slot_interval_minutes, buffer_before_minutes, buffer_after_minutes, min_notice_minutes, booking_window, limits,
       seats_per_slot, confirmation, locations, questions, assignment, max_additional_guests, is_active, search_text,
       search_grams, created_at, updated_at)
     VALUES ($1, $2, '面談', replace($2, '_', '-'), 30, '[]', 15, 5, 5, 120, '{"type": "rolling_days", "days": 60}', $3, 1,
       '{"mode": "auto", "expires_after_minutes": 1440, "pending_blocks": true}', '[]', '[]', 'round_robin', 0, true, '', '{}',
       now(), now())`,
    id,
    JSON.stringify(limits),
  );
  await run(
    database,
    whose,
    `INSERT INTO scheduler_event_type_members
     SELECT $1, $2, user_id, position - 1, 'rotating', 2, NULL
       FROM unnest($3::text[]) WITH ORDINALITY AS host (user_id, position)`,
    id,
    [...user_ids],
  );
  return id;
}

const OCCUPANCIES = `INSERT INTO scheduler_occupancies
  SELECT $1, 'booking', booking.id, 0, booking.user_id, booking.event_type_id, booking.at, booking.at + interval '30 minutes',
    5, 5, NULL, now() FROM booking`;

const GUEST =
  '{"name": "佐藤 花子", "email": "a@example.com", "time_zone": "Asia/Tokyo", "locale": "ja", "phone": null}';

const BOOKINGS = `INSERT INTO scheduler_bookings (organization_id, id, event_type_id, title, status, is_counted, "start", "end",
    guest, guest_email_key, user_ids, assigned_at, source, search_text, search_grams, created_at, updated_at)
  SELECT $1, id, event_type_id, '面談', 'confirmed', true, at, at + interval '30 minutes', '${GUEST}', 'a@example.com',
    jsonb_build_array(user_id), now(), 'public', '', '{}', now(), now() FROM booking`;

const BOOKING_HOSTS = `INSERT INTO scheduler_booking_hosts SELECT $1, booking.id, booking.user_id, booking.at FROM booking`;

const INSERTS = [OCCUPANCIES, BOOKINGS, BOOKING_HOSTS];

type Ahead = { event_type_id: string; user_ids: readonly string[]; count: number };

/** Bookings of hosts in turn, spread over the next 31 days. */
export async function bookAhead(
  database: Database,
  whose: Whose,
  { event_type_id, user_ids, count }: Ahead,
): Promise<void> {
  const each = Math.ceil(count / user_ids.length);
  const booking = `WITH booking AS (
    SELECT ${idOf('book', 'host.user_id || number.of')} AS id, $2::text AS event_type_id, host.user_id,
      date_trunc('hour', now()) + number.of * interval '31 days' / $4 AS at
      FROM unnest($3::text[]) AS host (user_id) CROSS JOIN generate_series(1, $4::integer) AS number (of))`;
  for (const insert of INSERTS) {
    await run(database, whose, `${booking} ${insert}`, event_type_id, [...user_ids], each);
  }
}

/** Past bookings of all hosts and their types: one every three hours between 8 and 20, back from yesterday. */
export async function bookedBefore(database: Database, whose: Whose, count: number): Promise<void> {
  const booking = `WITH host AS (
      SELECT user_id, event_type_id, row_number() OVER () - 1 AS place, count(*) OVER () AS hosts
        FROM scheduler_event_type_members WHERE organization_id = $1),
    booking AS (
      SELECT ${idOf('book', "'past' || number.of")} AS id, host.event_type_id, host.user_id,
        date_trunc('day', now(), 'Asia/Tokyo') - (number.of / host.hosts / 4 + 1) * interval '1 day'
          + (number.of / host.hosts % 4) * interval '3 hours' + interval '8 hours' AS at
        FROM generate_series(1, $2::integer) AS number (of) JOIN host ON host.place = number.of % host.hosts)`;
  for (const insert of INSERTS) await run(database, whose, `${booking} ${insert}`, count);
}
