import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { faultsIn } from '../../support/facts.ts';
import { type Desk, newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:30 in Tokyo. */
const NOW = new Date('2026-11-26T00:30:00.000Z');

const statements: string[] = [];
const own = await freshDatabase({ on_statement: (text) => statements.push(text) });
const app = await startApp({ database: own, now: () => NOW });
after(() => own.drop());

/** The starts that are offered on the clock of the answer: `2026-11-27T09:00`. */
async function startsOf(desk: Desk, id: string, query = ''): Promise<string[]> {
  const { slots } = await desk.done('GET', `/event-types/${id}/slots${query}`);
  return slots.map(({ local_start }: { local_start: string }) => local_start.slice(0, 16));
}

/** Writes past the operations of the scheduler. */
const write = (desk: Desk, text: string, values: unknown[]) =>
  app.database.withConnection(desk.organization_id, ({ query }) =>
    query(text, [desk.organization_id, ...values]),
  );

const TOMORROW = '?from=2026-11-27&to=2026-11-28';

describe('the slots of an event type', () => {
  test('begin two hours from now and end after 31 dates, in the zone of the host', async () => {
    const desk = await newDesk(app);
    await desk.availability({ time_zone: 'Asia/Tokyo' });
    const { id } = await desk.eventType({ duration_minutes: 60 });
    const reply = await desk.get(`/scheduler/event-types/${id}/slots`);
    const { slots, ...rest } = reply.body;
    assert.deepEqual(rest, {
      object: 'scheduler.slots',
      time_zone: 'Asia/Tokyo',
      duration_minutes: 60,
      from: '2026-11-26T00:30:00.000Z',
      to: '2026-12-27T00:30:00.000Z',
    });
    assert.deepEqual(slots[0], {
      start: '2026-11-26T03:00:00.000Z',
      end: '2026-11-26T04:00:00.000Z',
      local_start: '2026-11-26T12:00:00+09:00',
      seats_left: 1,
    });
    assert.equal(slots.length, 6 + 30 * 9 + 1);
    assert.match(reply.headers.get('server-timing') ?? '', /^db;dur=[\d.]+, slots;dur=[\d.]+$/);
  });

  test('are the same in each zone, and whatever the range cuts', async () => {
    const desk = await newDesk(app);
    await desk.availability();
    const { id } = await desk.eventType({ duration_minutes: 40, duration_options: [25] });
    const utc = (query: string) => startsOf(desk, id, `${query}&time_zone=UTC`);
    const whole = await utc('?from=2026-11-27&to=2026-12-04');
    assert.equal(
      (await startsOf(desk, id, '?from=2026-11-27T00:00:00Z&to=2026-12-04T00:00:00Z')).length,
      whole.length,
    );
    const parts = [
      await utc('?from=2026-11-27&to=2026-11-29T02:13:00Z'),
      await utc('?from=2026-11-29T02:13:00Z&to=2026-12-04'),
    ];
    assert.deepEqual(parts.flat(), whole);
    assert.equal(whole[0], '2026-11-27T00:00');
    const shorter = await startsOf(desk, id, `${TOMORROW}&duration_minutes=25`);
    assert.deepEqual(shorter.slice(0, 2), ['2026-11-27T09:00', '2026-11-27T09:25']);
  });

  test('are those of the settings for a member who said nothing, and none without members who decide', async () => {
    const desk = await newDesk(app);
    await desk.done('PATCH', '/settings', {
      time_zone: 'Europe/Paris',
      default_availability: { weekly: [{ days: ['friday'], start: '10:00', end: '11:00' }] },
    });
    const { id } = await desk.eventType();
    assert.deepEqual(await startsOf(desk, id, '?to=2026-12-03'), ['2026-11-27T10:00', '2026-11-27T10:30']);
    await write(
      desk,
      `UPDATE scheduler_event_type_members SET role = 'optional' WHERE organization_id = $1`,
      [],
    );
    assert.deepEqual(await startsOf(desk, id), []);
    assert.deepEqual((await desk.done('GET', `/event-types/${id}/explain`)).candidates, []);
    await write(desk, 'DELETE FROM scheduler_event_type_members WHERE organization_id = $1', []);
    assert.deepEqual(await startsOf(desk, id), []);
  });

  test('leave out what is held, and what was held until now is free before anybody has settled it', async () => {
    const desk = await newDesk(app);
    await desk.availability({ weekly: [{ days: ['friday'], start: '09:00', end: '10:00' }] });
    const { id } = await desk.eventType();
    await write(desk, 'INSERT INTO scheduler_hosts VALUES ($1, $2)', [desk.user_id]);
    const hold = (start: string, expires_at: string) =>
      write(
        desk,
        `INSERT INTO scheduler_occupancies
         VALUES ($1, 'proposal', $2, 0, $3, NULL, $4, $4::timestamptz + interval '30 minutes', 0, 0, $5)`,
        [`prop_${start}`, desk.user_id, start, expires_at],
      );
    await hold('2026-11-27T00:00:00Z', '2026-11-26T00:30:00Z');
    await hold('2026-11-27T00:30:00Z', '2026-11-26T00:30:01Z');
    assert.deepEqual(await startsOf(desk, id, TOMORROW), ['2026-11-27T09:00']);
  });

  test('have the seats that a session has left', async () => {
    const desk = await newDesk(app);
    await desk.availability({ weekly: [{ days: ['friday'], start: '09:00', end: '10:00' }] });
    const { id } = await desk.eventType({ seats_per_slot: 4 });
    const session = (name: string, start: string, taken: number) =>
      write(
        desk,
        `INSERT INTO scheduler_sessions VALUES
           ($1, $2, $3, $4, $4::timestamptz + interval '30 minutes', '[]', 4, $5, 'confirmed', 0, now(), now())`,
        [name, id, start, taken],
      );
    await session('bsess_a', '2026-11-27T00:00:00Z', 3);
    await session('bsess_b', '2026-11-27T00:30:00Z', 4);
    const { slots } = await desk.done('GET', `/event-types/${id}/slots${TOMORROW}`);
    assert.deepEqual(
      slots.map(({ start, seats_left }: { start: string; seats_left: number }) => [start, seats_left]),
      [['2026-11-27T00:00:00.000Z', 1]],
    );
  });

  test('stop where the bookings of a day reach the limit, a session counted once', async () => {
    const desk = await newDesk(app);
    await desk.availability({ weekly: [{ days: ['friday'], start: '09:00', end: '10:00' }] });
    const { id } = await desk.eventType({ limits: { per_day: 2 } });
    const booking = (name: string, session_id: string | null) =>
      write(
        desk,
        `INSERT INTO scheduler_bookings (organization_id, id, event_type_id, title, status, is_counted, "start", "end", guest,
           guest_email_key, user_ids, assigned_at, source, session_id, search_text, search_grams, created_at, updated_at)
         VALUES ($1, $2, $3, '面談', 'confirmed', true, '2026-11-27T05:00:00Z', '2026-11-27T05:30:00Z', '{}', $2, '[]', now(),
           'public', $4, '', '{}', now(), now())`,
        [name, id, session_id],
      );
    await write(
      desk,
      `INSERT INTO scheduler_sessions VALUES ($1, 'bsess_c', $2, '2026-11-27T05:00:00Z', '2026-11-27T05:30:00Z', '[]', 2, 2,
         'confirmed', 0, now(), now())`,
      [id],
    );
    await booking('book_a', 'bsess_c');
    await booking('book_b', 'bsess_c');
    assert.equal((await startsOf(desk, id, TOMORROW)).length, 2);
    await booking('book_c', null);
    assert.deepEqual(await startsOf(desk, id, TOMORROW), []);
    const { candidates } = await desk.done('GET', `/event-types/${id}/explain?date=2026-11-27`);
    assert.equal(
      candidates.find((one: { start: string }) => one.start === '2026-11-27T00:00:00.000Z').reason,
      'limit_reached',
    );
  });

  test('are read with three statements, by one host and by fifty', async () => {
    const desk = await newDesk(app);
    const one = await desk.eventType();
    const members = [{ user_id: desk.user_id }];
    while (members.length < 50)
      members.push({ user_id: (await app.actor({ organization_id: desk.organization_id })).actor.user_id });
    const fifty = await desk.eventType({ assignment: 'collective', members });
    const counted = async (id: string) => {
      await desk.done('GET', `/event-types/${id}/slots`);
      statements.length = 0;
      assert.ok((await startsOf(desk, id)).length > 0);
      return statements.filter((text) => text.includes('scheduler_') || text.includes('attendance_')).length;
    };
    assert.deepEqual([await counted(one.id), await counted(fifty.id)], [3, 3]);
  });
});

describe('what is refused', () => {
  test('422: a range that ends before it begins or is too long, a length that is not offered', async () => {
    const desk = await newDesk(app);
    const { id } = await desk.eventType();
    for (const [query, path, code] of [
      ['from=2026-12-01&to=2026-12-01', 'to', 'not_after_from'],
      ['from=2026-12-01&to=2026-11-30', 'to', 'not_after_from'],
      ['from=2026-12-01&to=2027-02-02', 'to', 'too_long'],
      ['from=tomorrow', 'from', 'invalid_format'],
      ['from=2027-02-30', 'from', 'invalid_format'],
      ['time_zone=%2B09:00', 'time_zone', 'invalid_time_zone'],
      ['time_zone=JST', 'time_zone', 'invalid_time_zone'],
      ['duration_minutes=45', 'duration_minutes', 'not_offered'],
    ] as const) {
      const reply = await desk.get(`/scheduler/event-types/${id}/slots?${query}`);
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [`${path} ${code}`]], query);
    }
    assert.equal(
      (await desk.get(`/scheduler/event-types/${id}/slots?from=2026-12-01&to=2027-02-01`)).status,
      200,
    );
  });

  test('403 without the scope, 404 for the type of another organization', async () => {
    const desk = await newDesk(app);
    const { id } = await desk.eventType();
    const other = await newDesk(app);
    for (const call of ['slots', 'explain']) {
      const reply = await other.get(`/scheduler/event-types/${id}/${call}`);
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
    const key = await app.actor({ organization_id: desk.organization_id, scopes: ['scheduler:write'] });
    assert.equal((await key.get(`/scheduler/event-types/${id}/slots`)).status, 403);
  });
});
