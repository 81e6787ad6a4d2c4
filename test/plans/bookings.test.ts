import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { plannedApp } from '../support/plans.ts';
import { deskOf } from '../support/scheduler.ts';

/** What lists of bookings read among 100,000, of which who asks hosts every hundredth. */
const COUNT = 100_000;
const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
let event_type_id = '';
const colleague = await app.actor({ organization_id: client.actor.organization_id });

before(async () => {
  const { organization_id, user_id } = client.actor;
  event_type_id = (await deskOf(app, client, client.actor).eventType()).id;
  const values = [organization_id, user_id, colleague.actor.user_id, event_type_id, COUNT];
  await planned.fill(() =>
    app.database.withConnection(EVERY_ORGANIZATION, async ({ query }) => {
      await query(BOOKINGS, values);
      await query(HOSTS, [organization_id]);
    }),
  );
});

/** One an hour since 2020; every thousandth waits, and has a guest of its own. */
const BOOKINGS = `
  INSERT INTO scheduler_bookings (organization_id, id, event_type_id, title, status, is_counted, "start", "end", guest,
    guest_email_key, user_ids, assigned_at, source, pending_expires_at, search_text, search_grams, created_at, updated_at)
  SELECT $1, 'book_' || lpad(n::text, 26, '0'), $4, '面談', CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'confirmed' END,
    true, at, at + interval '30 minutes',
    jsonb_build_object('name', '佐藤', 'email', email, 'time_zone', 'Asia/Tokyo', 'locale', 'ja', 'phone', null), email,
    jsonb_build_array(CASE WHEN n % 100 = 0 THEN $2 ELSE $3 END), at, 'public',
    CASE WHEN n % 1000 = 0 THEN timestamptz '2099-01-01' END, '面談', '{}', at, at
  FROM generate_series(1, $5::integer) AS n,
    LATERAL (SELECT timestamptz '2020-01-01' + n * interval '1 hour' AS at,
      CASE WHEN n % 1000 = 0 THEN 'guest' || n ELSE 'everybody' END || '@example.com' AS email) AS one`;

const HOSTS = `
  INSERT INTO scheduler_booking_hosts (organization_id, booking_id, user_id, "start")
  SELECT organization_id, id, user_ids ->> 0, "start" FROM scheduler_bookings WHERE organization_id = $1`;

describe('/scheduler/bookings', () => {
  const cases: [name: string, query: () => string][] = [
    ['the newest', () => 'skip_total=true'],
    ['those that wait, with their number', () => 'status=pending'],
    ['of a host, with their number', () => `user_id=${client.actor.user_id}`],
    [
      'of a host in two days',
      () => `user_id=${client.actor.user_id}&start_from=2021-06-01T00:00:00Z&start_to=2021-06-03T00:00:00Z`,
    ],
    [
      'of an event type in two days, with their number',
      () => `event_type_id=${event_type_id}&start_from=2021-06-01T00:00:00Z&start_to=2021-06-03T00:00:00Z`,
    ],
    ['of a guest, with their number', () => 'guest_email=Guest5000@example.com'],
    ['by start', () => 'sort=start:asc&skip_total=true'],
  ];
  // A host has 1,000 of them: these are read for the page, and once more for their number.
  for (const [name, query] of cases) {
    test(name, async () => {
      const { whole, rows } = await planned.plansOf(async () => {
        const reply = await client.get(`/scheduler/bookings?${query()}`);
        assert.equal(reply.status, 200, reply.text);
      });
      assert.ok(!whole.has('scheduler_bookings') && !whole.has('scheduler_booking_hosts'), query());
      assert.ok(rows <= 8_000, `${query()}: ${rows} rows were looked at`);
    });
  }
});

describe('/scheduler/dashboard', () => {
  const hosts: [name: string, query: () => string][] = [
    ['of all', () => ''],
    ['of who hosts every hundredth', () => `?user_id=${client.actor.user_id}`],
    ['of who hosts nearly all', () => `?user_id=${colleague.actor.user_id}`],
  ];
  for (const [name, query] of hosts) {
    test(name, async () => {
      const { whole, rows } = await planned.plansOf(async () => {
        const reply = await client.get(`/scheduler/dashboard${query()}`);
        assert.equal(reply.status, 200, reply.text);
        assert.equal(reply.body.dashboard.next_bookings.length, 10);
      });
      assert.ok(!whole.has('scheduler_bookings') && !whole.has('scheduler_booking_hosts'), query());
      // 30 days and 7, one an hour: each with its row of hosts, for two of the figures; and 100 that wait.
      assert.ok(rows <= 4 * 37 * 24 + 200, `${rows} rows were looked at`);
    });
  }
});
