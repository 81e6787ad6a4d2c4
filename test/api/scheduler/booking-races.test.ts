import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { startApp } from '../../support/app.ts';
import { type Guests, newGuests, overlaps } from '../../support/bookings.ts';
import type { Reply } from '../../support/client.ts';

const app = await startApp({ now: () => new Date('2026-11-30T00:00:00.000Z') });

const at = (clock: string) => new Date(`2026-12-02T${clock}:00+09:00`).toISOString();

/** How often each status and code was answered. */
function counted(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const key = status < 300 ? String(status) : `${status} ${body.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** So many guests who want that start at the same time. */
function race({ book }: Guests, guests: number, start = at('10:00')): Promise<Reply[]> {
  return Promise.all(Array.from({ length: guests }, () => book({ start })));
}

describe('guests who book one start at the same time', () => {
  test('100 of them: one has it, and 99 are told that it is taken', async () => {
    const guests = await newGuests(app);
    assert.deepEqual(counted(await race(guests, 100)), { '201': 1, '409 slot_taken': 99 });
    assert.deepEqual(await overlaps(app, guests.desk.organization_id), []);
  });

  test('60 of them for 5 seats: five have one, and the session says so', async () => {
    const guests = await newGuests(app, { seats_per_slot: 5 });
    assert.deepEqual(counted(await race(guests, 60)), { '201': 5, '409 slot_taken': 55 });
    const { items } = await guests.desk.done('GET', '/bookings');
    assert.equal(new Set(items.map(({ session_id }: { session_id: string }) => session_id)).size, 1);
    assert.deepEqual(await takenBySession(guests), [{ taken: 5, bookings: 5 }]);
  });

  test('40 of them for five hosts in turn: five have one, each with a host of their own', async () => {
    const guests = await newGuests(app);
    const { desk, event_type } = guests;
    const hosts = [desk, ...(await Promise.all(Array.from({ length: 4 }, () => desk.colleague())))];
    await Promise.all(hosts.slice(1).map((host) => host.availability()));
    const members = hosts.map(({ user_id }) => ({ user_id }));
    await desk.done('POST', `/event-types/${event_type.id}/members`, { members, assignment: 'round_robin' });
    const replies = await race(guests, 40);
    assert.deepEqual(counted(replies), { '201': 5, '409 slot_taken': 35 });
    const { items } = await desk.done('GET', '/bookings');
    const booked = items.map((one: { hosts: { user_id: string }[] }) =>
      one.hosts.map(({ user_id }) => user_id),
    );
    assert.deepEqual(booked.flat().sort(), hosts.map(({ user_id }) => user_id).sort());
  });

  test('a limit of the day holds for starts side by side', async () => {
    const guests = await newGuests(app, { limits: { per_day: 3 } });
    const starts = ['09:00', '10:00', '11:00', '13:00', '14:00', '15:00'].map(at);
    const replies = await Promise.all(starts.map((start) => guests.book({ start })));
    assert.deepEqual(counted(replies), { '201': 3, '409 limit_reached': 3 });
  });
});

describe('bookings that are moved at the same time', () => {
  test('into the times of each other: both stay, and nobody waits for ever', async () => {
    const { desk, book } = await newGuests(app);
    const [one, other] = await Promise.all([book({ start: at('10:00') }), book({ start: at('11:00') })]);
    const move = ({ body }: Reply, start: string) =>
      app.anonymous.post(`/scheduler/b/${body.token}/reschedule`, { start });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => [move(one, at('11:00')), move(other, at('10:00'))]).flat(),
    );
    assert.deepEqual(counted(replies), { '409 slot_taken': 20 });
    assert.deepEqual(await overlaps(app, desk.organization_id), []);
  });

  test('into one free time, beside guests who book it: one has it', async () => {
    const { desk, book } = await newGuests(app);
    const booked = await Promise.all(['10:00', '11:00', '13:00'].map((clock) => book({ start: at(clock) })));
    const replies = await Promise.all([
      ...booked.map(({ body }) =>
        app.anonymous.post(`/scheduler/b/${body.token}/reschedule`, { start: at('15:00') }),
      ),
      ...Array.from({ length: 10 }, () => book({ start: at('15:00') })),
    ]);
    const { '409 slot_taken': lost, ...won } = counted(replies);
    assert.deepEqual([lost, Object.values(won)], [12, [1]]);
    assert.deepEqual(await overlaps(app, desk.organization_id), []);
  });
});

describe('seats', () => {
  test('an address has one of a session, and the last that is given back frees the hosts', async () => {
    const guests = await newGuests(app, { seats_per_slot: 2 });
    const { desk, book } = guests;
    const email = 'same@example.com';
    const first = await book({ start: at('10:00'), email });
    const again = await book({ start: at('10:00'), email: 'SAME@example.com' });
    assert.deepEqual([again.status, again.body.code], [409, 'already_booked']);
    const moved = await app.anonymous.post(`/scheduler/b/${first.body.token}/reschedule`, {
      start: at('11:00'),
    });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(await takenBySession(guests), [{ taken: 1, bookings: 1 }]);
    assert.equal((await book({ start: at('10:30') })).status, 201);
    const { items } = await desk.done('GET', `/bookings?guest_email=${email}`);
    const path = `/sessions/${items[0].session_id}/cancel`;
    assert.equal((await desk.done('POST', path, { reason: '中止' })).session.taken, 0);
    assert.equal((await desk.post(`/scheduler${path}`, {})).body.code, 'invalid_transition');
    assert.equal((await desk.done('GET', `/bookings/${items[0].id}`)).booking.status, 'cancelled');
  });
});

/** The sessions that take place, with how many seats are said to be taken and how many bookings there are. */
function takenBySession({ desk }: Guests): Promise<unknown[]> {
  return app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(
      `SELECT taken, (SELECT count(*)::integer FROM scheduler_bookings AS booking
          WHERE booking.organization_id = session.organization_id AND booking.session_id = session.id
            AND booking.status = 'confirmed') AS bookings
         FROM scheduler_sessions AS session WHERE organization_id = $1 AND status = 'confirmed'`,
      [desk.organization_id],
    ),
  );
}
