import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assignedInMonth } from '../../shared/scheduler/bookings/assignment.ts';
import { removeDueHolds } from '../../shared/scheduler/holds/sweep.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { type Client, clientOf } from '../support/client.ts';
import { bookAhead, bookedBefore, seedHosts, seedType } from '../support/many-booked.ts';
import { assertSweeps, plannedApp } from '../support/plans.ts';

/** What slots read of ten hosts with a hundred bookings ahead, beside many past ones and past events of their calendars. */
const PAST = 20_000;
const HOSTS = 10;
const AHEAD = 100;

const planned = await plannedApp();
const { app } = planned;
let client: Client;
let actor: TestActor;
let event_type_id: string;
let hosts: string[];

before(async () => {
  actor = await newActor(app.database);
  client = clientOf(app.base_url, { Authorization: `Bearer ${actor.secret}` });
  await planned.fill(async () => {
    hosts = await seedHosts(app.database, actor, HOSTS);
    event_type_id = await seedType(app.database, actor, hosts);
    await bookAhead(app.database, actor, { event_type_id, user_ids: hosts, count: AHEAD });
    await bookedBefore(app.database, actor, PAST);
    await calendarsOf(hosts);
  });
});

/** A calendar of each host, its past events, past blocks and holds that are over. */
async function calendarsOf(user_ids: readonly string[]): Promise<void> {
  const past = `now() - number.of * interval '1 hour', now() - number.of * interval '1 hour' + interval '30 minutes'`;
  const rows = `unnest($2::text[]) AS host (id) CROSS JOIN generate_series(1, ${PAST / HOSTS}) AS number (of)`;
  await app.database.withConnection(actor.organization_id, async ({ query }) => {
    const run = (text: string) => query(text, [actor.organization_id, user_ids], { prepared: false });
    await run(
      `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
         last_synced_at, created_at, updated_at)
       SELECT $1, id, id, 'google', 'a', 'a', 'active', now(), now(), now() FROM unnest($2::text[]) AS host (id)`,
    );
    await run(
      `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
         is_write_target, position)
       SELECT $1, id, 'primary', 'a', true, true, true, 0 FROM unnest($2::text[]) AS host (id)`,
    );
    await run(
      `INSERT INTO scheduler_external_events
       SELECT $1, host.id || number.of, host.id, 'primary', number.of, host.id, ${past}, false, NULL FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_blocks (organization_id, id, user_id, "start", "end", created_at, updated_at)
       SELECT $1, host.id || number.of, host.id, ${past}, now(), now() FROM ${rows}`,
    );
    await run(
      `INSERT INTO scheduler_holds
       SELECT $1, 'hold' || host.id || number.of, $3, ${past}, '[]', NULL, 'a', now() + interval '1 day', now() FROM ${rows}`.replace(
        '$3',
        `'${event_type_id}'`,
      ),
    );
  });
}

/** Tables that have a few rows here. */
const SMALL = new Set([
  'api_keys',
  'api_key_hashes',
  'attendance_dated_settings',
  'attendance_holidays',
  'attendance_leave_requests',
  'attendance_members',
  'organizations',
  'members',
  'scheduler_availability',
  'scheduler_calendars',
  'scheduler_connections',
  'scheduler_event_types',
  'scheduler_event_type_members',
  'scheduler_settings',
  'scheduler_sessions',
]);

const INDEXES = [
  'scheduler_occupancies_of_host',
  'scheduler_occupancies_expiring',
  'scheduler_blocks_of_user',
  'scheduler_external_events_of_user',
  'scheduler_bookings_counted',
];

describe('slots', () => {
  const list = async () => {
    const reply = await client.get(`/scheduler/event-types/${event_type_id}/slots`);
    assert.equal(reply.status, 200, reply.text);
    assert.ok(reply.body.slots.length > 100);
  };

  test('read what lies ahead, whatever lies behind', async () => {
    const { indexes, whole, rows } = await planned.plansOf(list);
    assert.deepEqual(
      [...whole].filter((table) => !SMALL.has(table)),
      [],
    );
    for (const index of INDEXES) assert.ok(indexes.has(index), `${index} was not among ${[...indexes]}`);
    // Two days of the past for bookings, one for the limit of a day.
    assert.ok(rows < 4 * (AHEAD + HOSTS * 3 * 4), `${rows} rows were looked at`);
  });

  test('by a plan that is kept for any values too', async () => {
    const indexes = await planned.keptIndexesOf(list);
    for (const index of INDEXES) assert.ok(indexes.has(index), `${index} was not among ${[...indexes]}`);
  });

  test('whose turn it is follows from an index alone, also by a plan that is kept', async () => {
    const { organization_id } = actor;
    const turn = () =>
      app.database.withConnection(organization_id, async (connection) => {
        const reader = { connection, organization_id, now: new Date() };
        const event_type = { id: event_type_id, members: [] };
        const start = Date.now();
        const asked = { event_type, start, time_zone: 'Asia/Tokyo', without: [], user_ids: hosts };
        assert.equal((await assignedInMonth(reader, asked)).length, HOSTS);
      });
    const { indexes, whole, fetched } = await planned.plansOf(turn);
    assert.deepEqual([[...indexes], [...whole], [...fetched]], [['scheduler_occupancies_of_host'], [], []]);
    assert.deepEqual([...(await planned.keptIndexesOf(turn))], ['scheduler_occupancies_of_host']);
  });

  test('the sweep of holds finds those that are over alone', async () => {
    const sweep = () => removeDueHolds(app.database, new Date(), new AbortController().signal);
    await assertSweeps(planned, sweep, SMALL, { indexes: [/scheduler_holds_due/], most: 5 });
  });
});
