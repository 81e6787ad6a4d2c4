import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { removeDueHolds } from '../../../shared/scheduler/holds/sweep.ts';
import { startApp } from '../../support/app.ts';
import { type Guests, newGuests, overlaps } from '../../support/bookings.ts';
import type { Reply } from '../../support/client.ts';

let clock = Date.parse('2026-11-30T00:00:00.000Z');
const MINUTE = 60_000;
const app = await startApp({
  now: () => new Date(clock),
  environment: { TRUSTED_PROXIES: '127.0.0.1' },
});

/** Clock times of 2026-12-02, a Wednesday, in Tokyo. */
const at = (time: string) => new Date(`2026-12-02T${time}:00+09:00`).toISOString();

let addresses = 0;

/** Holds a start from an address of its own unless one is named. */
function hold(
  { org_slug, slug }: Guests,
  start: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  addresses += 1;
  const path = `/scheduler/p/${org_slug}/${slug}/hold`;
  return app.anonymous.send(
    'post',
    path,
    { start },
    {
      'X-Forwarded-For': `198.51.100.${addresses}`,
      ...headers,
    },
  );
}

async function rowsOf({ desk }: Guests): Promise<{ holds: number; occupancies: number }> {
  const [found] = await app.database.withConnection(desk.organization_id, ({ query }) =>
    query<{ holds: number; occupancies: number }>(
      `SELECT (SELECT count(*)::integer FROM scheduler_holds WHERE organization_id = $1) AS holds,
         (SELECT count(*)::integer FROM scheduler_occupancies WHERE organization_id = $1 AND kind = 'hold') AS occupancies`,
      [desk.organization_id],
    ),
  );
  return found!;
}

describe('a hold', () => {
  test('keeps a start for five minutes for who has the token, once', async () => {
    const guests = await newGuests(app);
    const made = await hold(guests, at('10:00'));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.hold, {
      start: at('10:00'),
      expires_at: new Date(clock + 5 * MINUTE).toISOString(),
    });
    const { hold_token } = made.body;
    assert.match(hold_token, /^[A-Za-z0-9_-]{43}$/);
    const { slots } = await guests.desk.done(
      'GET',
      `/event-types/${guests.event_type.id}/slots?to=2026-12-03`,
    );
    assert.equal(
      slots.some(({ start }: { start: string }) => start === at('10:00')),
      false,
    );
    const other = await guests.book({ start: at('10:00') });
    assert.deepEqual([other.status, other.body.code], [409, 'slot_taken']);
    const booked = await guests.book({ start: at('10:00'), hold_token });
    assert.equal(booked.status, 201, booked.text);
    assert.deepEqual(await rowsOf(guests), { holds: 0, occupancies: 0 });
    assert.equal((await guests.book({ start: at('10:00'), hold_token })).status, 409);
    assert.equal((await guests.book({ start: at('11:00'), hold_token })).status, 201);
  });

  test('does not stand in the way of another start of its token, and goes with it', async () => {
    const guests = await newGuests(app, { duration_minutes: 60, slot_interval_minutes: 30 });
    const { hold_token } = (await hold(guests, at('10:00'))).body;
    assert.equal((await guests.book({ start: at('10:30') })).status, 409);
    assert.equal((await guests.book({ start: at('10:30'), hold_token })).status, 201);
    assert.deepEqual(await rowsOf(guests), { holds: 0, occupancies: 0 });
  });

  test('is over after five minutes, whether it was removed or not; the sweep removes it', async () => {
    const guests = await newGuests(app);
    const { hold_token } = (await hold(guests, at('10:00'))).body;
    await hold(guests, at('12:00'));
    clock += 5 * MINUTE;
    assert.equal((await guests.book({ start: at('11:00'), hold_token })).status, 201);
    const retaken = await guests.book({ start: at('10:00') });
    assert.equal(retaken.status, 201, retaken.text);
    await hold(guests, at('14:00'));
    const removed = await removeDueHolds(app.database, new Date(clock), new AbortController().signal);
    assert.ok(removed <= 2);
    assert.deepEqual(await rowsOf(guests), { holds: 1, occupancies: 1 });
  });

  test('takes the host whose turn it is, who then hosts the booking', async () => {
    const guests = await newGuests(app);
    const { desk, event_type } = guests;
    const second = await desk.colleague();
    await second.availability();
    const members = [desk, second].map(({ user_id }, index) => ({ user_id, priority: index }));
    await desk.done('POST', `/event-types/${event_type.id}/members`, { assignment: 'round_robin', members });
    const { hold_token } = (await hold(guests, at('10:00'))).body;
    const own = await guests.book({ start: at('10:00') });
    const held = await guests.book({ start: at('10:00'), hold_token });
    const hostOf = async ({ body }: Reply) => {
      const { booking } = await desk.done('GET', `/bookings/${body.booking.id}`);
      return booking.hosts[0].user_id;
    };
    assert.deepEqual([await hostOf(own), await hostOf(held)], [desk.user_id, second.user_id]);
  });

  test('answers its token again to who repeats the request', async () => {
    const guests = await newGuests(app);
    const key = { 'X-Forwarded-For': '203.0.113.1', 'Idempotency-Key': 'again' };
    const first = await hold(guests, at('10:00'), key);
    const second = await hold(guests, at('10:00'), key);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(await rowsOf(guests), { holds: 1, occupancies: 1 });
  });

  test('is had by one of twenty who want the same start', async () => {
    const guests = await newGuests(app);
    const replies = await Promise.all(Array.from({ length: 20 }, () => hold(guests, at('10:00'))));
    const codes = replies.map(({ status, body }) => `${status} ${body.code ?? ''}`).sort();
    assert.deepEqual(codes, ['201 ', ...Array(19).fill('409 slot_taken')]);
    assert.deepEqual(await overlaps(app, guests.desk.organization_id), []);
  });
});

describe('what is refused', () => {
  test('429: a sixth hold of one address at a time, also where all are asked for at once', async () => {
    const guests = await newGuests(app);
    const from = { 'X-Forwarded-For': '2001:db8:1:2::7' };
    const starts = ['10:00', '10:30', '11:00', '11:30', '12:00', '12:30', '13:00'].map(at);
    const replies = await Promise.all(starts.map((start) => hold(guests, start, from)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 5);
    const refused = replies.filter(({ status }) => status === 429);
    assert.deepEqual(
      refused.map(({ body }) => body.code),
      ['rate_limited', 'rate_limited'],
    );
    assert.equal(refused[0]!.headers.get('retry-after'), '300');
    const neighbour = await hold(guests, at('15:00'), { 'X-Forwarded-For': '2001:db8:1:2::8' });
    assert.equal(neighbour.status, 429);
    assert.equal((await hold(guests, at('15:00'))).status, 201);
    clock += 5 * MINUTE;
    assert.equal((await hold(guests, at('15:30'), from)).status, 201);
  });

  test('409: with seats', async () => {
    const reply = await hold(await newGuests(app, { seats_per_slot: 3 }), at('10:00'));
    assert.deepEqual([reply.status, reply.body.code], [409, 'no_holds']);
  });

  test('422: a start that nobody can book, a length that is not offered; 404: a page that is not there', async () => {
    const guests = await newGuests(app);
    const early = await hold(guests, at('08:00'));
    assert.deepEqual([early.status, early.body.code], [422, 'not_bookable']);
    const path = `/scheduler/p/${guests.org_slug}/${guests.slug}/hold`;
    const long = await app.anonymous.post(path, { start: at('10:00'), duration_minutes: 45 });
    assert.deepEqual([long.status, long.body.errors[0].path], [422, '/duration_minutes']);
    const missing = await hold({ ...guests, slug: 'missing' }, at('10:00'));
    assert.equal(missing.status, 404);
  });
});

test('a token that is unknown, malformed or of another event type is ignored', async () => {
  const [guests, others] = [await newGuests(app), await newGuests(app)];
  const { hold_token } = (await hold(others, at('10:00'))).body;
  for (const [index, token] of [hold_token, 'A'.repeat(43), 'x'].entries()) {
    const booked = await guests.book({ start: at(`1${index}:00`), hold_token: token });
    assert.equal(booked.status, 201, booked.text);
  }
  assert.deepEqual(await rowsOf(others), { holds: 1, occupancies: 1 });
});
