import { before, describe, test } from 'node:test';
import { gramsOf } from '../../shared/platform/search/grams.ts';
import { eventTypeDefaults } from '../../shared/scheduler/event-types/fields.ts';
import { assertReads, plannedApp, type Reading } from '../support/plans.ts';

/** What lists of event types, availability and calendar events read among 10,000 of each, nearly all of them of one member. */
const COUNT = 10_000;
const RARE = 10;

/** Tables that an organization has some hundred rows of at most. */
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
  'scheduler_settings',
  'scheduler_proposals',
  'attendance_members',
  'attendance_leave_requests',
  'attendance_dated_settings',
  'attendance_holidays',
  'requests',
]);

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
const { organization_id } = client.actor;
const busy = await app.actor({ organization_id, role: 'member' });

const at = (expression: string) => `lpad((${expression})::text, 25, '0')`;
const idOf = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`;

before(() => planned.fill(seed));

/** One row in a thousand is of the client, the others of the busy member; a row a quarter of an hour. */
async function seed(): Promise<void> {
  const { limits, booking_window, confirmation } = eventTypeDefaults;
  const owner = `CASE WHEN n % (${COUNT} / ${RARE}) = 0 THEN $2 ELSE $3 END`;
  const start = `'2026-12-01T00:00:00Z'::timestamptz + (n - ${COUNT / 2}) * interval '15 minutes'`;
  const span = `${start}, ${start} + interval '15 minutes'`;
  const rows = `generate_series(1, ${COUNT}) AS n`;
  const times = "now() + n * interval '1 second', now() + n * interval '1 second'";
  const people = [organization_id, client.actor.user_id, busy.actor.user_id];
  await app.database.withConnection(organization_id, async ({ query }) => {
    const run = (text: string, ...values: unknown[]) =>
      query(text, [...people, ...values], { prepared: false });
    await run(
      `INSERT INTO scheduler_event_types (organization_id, id, title, slug, duration_minutes, duration_options,
         buffer_before_minutes, buffer_after_minutes, min_notice_minutes, booking_window, limits, seats_per_slot,
         confirmation, locations, questions, assignment, max_additional_guests, is_active, external_id, search_text,
         search_grams, created_by, created_at, updated_at)
       SELECT $1, 'etype_0' || ${at('n')}, 'x', 's-' || n, 30, '[]', 0, 0, 120, $4, $5, 1, $6, '[]', '[]', 'single', 0,
         true, 'K-' || n, CASE WHEN ${owner} = $2 THEN '珍しい面談' ELSE 'いつもの面談' END,
         CASE WHEN ${owner} = $2 THEN $7::int[] ELSE $8::int[] END, $3, ${times}
         FROM ${rows}`,
      JSON.stringify(booking_window),
      JSON.stringify(limits),
      JSON.stringify(confirmation),
      gramsOf('珍しい面談'),
      gramsOf('いつもの面談'),
    );
    await run(
      `INSERT INTO scheduler_event_type_members (organization_id, event_type_id, user_id, position, role, priority)
       SELECT $1, 'etype_0' || ${at('n')}, ${owner}, 0, 'required', 2 FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_availability (organization_id, id, user_id, name, time_zone, is_default, weekly, overrides,
         closed_on_holidays, external_id, created_at, updated_at)
       SELECT $1, 'avail_0' || ${at('n')}, ${owner}, 'x', 'Asia/Tokyo', false, '[]', '[]', false, 'K-' || n, ${times}
         FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_blocks (organization_id, id, user_id, "start", "end", external_id, created_at, updated_at)
       SELECT $1, 'cevt_0' || ${at('n')}, ${owner}, ${span}, 'K-' || n, ${times} FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_bookings (organization_id, id, title, status, is_counted, "start", "end", guest,
         guest_email_key, user_ids, assigned_at, source, search_text, search_grams, created_at, updated_at)
       SELECT $1, 'book_0' || ${at('n')}, 'x', 'confirmed', false, ${span}, '{}', 'a', jsonb_build_array(${owner}), now(),
         'staff', '', '{}', ${times} FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_booking_hosts (organization_id, booking_id, user_id, "start")
       SELECT $1, 'book_0' || ${at('n')}, ${owner}, ${start} FROM ${rows}`,
    );
    await run('INSERT INTO scheduler_hosts SELECT $1, user_id FROM unnest(ARRAY[$2, $3]) AS user_id');
    await run(
      `INSERT INTO scheduler_occupancies (organization_id, kind, record_id, position, user_id, "start", "end",
         buffer_before_minutes, buffer_after_minutes, expires_at)
       SELECT $1, CASE WHEN n % 1000 < 2 THEN 'hold' ELSE 'booking' END, 'book_0' || ${at('n')}, 0, ${owner}, ${span}, 0, 0,
         CASE WHEN n % 1000 < 2 THEN now() + interval '1 hour' END FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status, created_at,
         updated_at)
       SELECT $1, 'ccon_0' || ${at('place')}, user_id, 'google', 'a', 'a', 'active', now(), now()
         FROM unnest(ARRAY[$2, $3]) WITH ORDINALITY AS person (user_id, place)`,
    );
    await run(
      `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
         is_write_target, position)
       SELECT $1, 'ccon_0' || ${at('place')}, 'c', 'c', true, true, true, 0 FROM unnest(ARRAY[$2, $3]) WITH ORDINALITY
         AS person (user_id, place)`,
    );
    await run(
      `INSERT INTO scheduler_external_events (organization_id, id, connection_id, calendar_id, external_key, user_id, "start",
         "end", all_day)
       SELECT $1, 'cevt_1' || ${at('n')}, '${idOf('ccon', 1)}', 'c', n::text, ${owner}, ${span}, false FROM ${rows}`,
    );
  });
}

const types: [name: string, reading: Omit<Reading, 'path'> & { query: string }][] = [
  ['the newest', { query: 'skip_total=true', index: /event_types_(living|pkey)/, most: 400, found: 50 }],
  ['those of a slug', { query: 'slug=s-5000', index: /slug_once/, most: 20, found: 1 }],
  ['those of own IDs', { query: 'external_id=K-1,K-9000', index: /external_id_once/, most: 30, found: 2 }],
  [
    'those that changed since',
    {
      query: `updated_after=${new Date(Date.now() + (COUNT - 100) * 1000).toISOString()}&skip_total=true`,
      index: /event_types_by_change/,
      most: 1_000,
    },
  ],
  [
    'those of rare letters',
    { query: `search=${encodeURIComponent('珍しい')}`, index: /event_types_search/, most: 200, found: RARE },
  ],
  [
    'those of a member',
    { query: `user_id=${client.actor.user_id}`, index: /members_of_user/, most: 200, found: RARE },
  ],
];

describe('event types', () => {
  for (const [name, { query, ...reading }] of types) {
    test(name, () =>
      assertReads(planned, client, SMALL, { path: `/scheduler/event-types?${query}`, ...reading }),
    );
  }
});

const availability: [name: string, reading: Omit<Reading, 'path'> & { query: string }][] = [
  ['the newest', { query: 'skip_total=true', index: /availability_pkey/, most: 200, found: 50 }],
  ['that of own IDs', { query: 'external_id=K-1,K-9000', index: /external_id_once/, most: 20, found: 2 }],
  [
    'that of a member',
    { query: `user_id=${client.actor.user_id}`, index: /availability_of_user/, most: 100, found: RARE },
  ],
];

describe('availability', () => {
  for (const [name, { query, ...reading }] of availability) {
    test(name, () =>
      assertReads(planned, client, SMALL, { path: `/scheduler/availability?${query}`, ...reading }),
    );
  }
});

describe('calendar events', () => {
  const path = '/scheduler/calendar-events';

  // 672 of each kind lie in the seven days; the first 50 are told.
  for (const index of [
    /booking_hosts_by_start/,
    /blocks_of_user/,
    /external_events_of_user/,
    /expiring|of_host/,
  ]) {
    test(`of a busy week, by ${index.source}`, () =>
      assertReads(planned, busy, SMALL, {
        path: `${path}?from=2026-12-01&to=2026-12-08`,
        index,
        most: 20_000,
        found: 50,
      }));
  }

  test('of own IDs', () =>
    assertReads(planned, client, SMALL, {
      path: `${path}?external_id=K-1,K-9000`,
      index: /blocks_external_id_once/,
      most: 30,
      found: 2,
    }));
});
