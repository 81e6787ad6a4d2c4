import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';

const NOW = '2026-11-30T00:00:00.000Z';
const app = await startApp({ now: () => new Date(NOW) });

/** Clock times of 2026-12-02, a Wednesday, in Tokyo. */
const at = (clock: string) => new Date(`2026-12-02T${clock}:00+09:00`).toISOString();

describe('a guest who books', () => {
  test('201: is booked at once, and has the link that opens the booking', async () => {
    const { desk, book, slug } = await newGuests(app);
    const reply = await book({ start: at('10:00') });
    assert.equal(reply.status, 201, reply.text);
    const { booking, token, guest_url } = reply.body;
    assert.equal(guest_url, `${app.base_url}/b/${token}`);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(reply.headers.get('location'), null);
    const read = await app.anonymous.get(`/scheduler/b/${token}`);
    assert.deepEqual(read.body.booking, booking);
    assert.equal(read.body.event_type.slug, slug);
    assert.deepEqual(
      [booking.status, booking.start, booking.end, booking.guest.time_zone, booking.guest.locale],
      ['confirmed', at('10:00'), at('10:30'), 'Asia/Tokyo', 'ja'],
    );
    assert.deepEqual(Object.keys(booking.hosts[0]), ['name']);
    assert.ok(!('history' in booking) && !('assignment_reason' in booking));
    const shown = (await desk.done('GET', `/bookings/${booking.id}`)).booking;
    assert.deepEqual(
      [shown.source, shown.hosts[0].user_id, shown.created_by, shown.available_actions],
      ['public', desk.user_id, null, ['reschedule', 'cancel']],
    );
  });

  test('409: of what is taken, and of times that touch only because of buffers', async () => {
    const { book } = await newGuests(app, { buffer_after_minutes: 15, slot_interval_minutes: 15 });
    assert.equal((await book({ start: at('10:00') })).status, 201);
    for (const [start, reason] of [
      ['10:00', 'busy'],
      ['10:15', 'busy'],
      ['10:30', 'buffer'],
      ['09:30', 'buffer'],
    ] as const) {
      const { status, body } = await book({ start: at(start) });
      assert.deepEqual([status, body.code, body.errors[0].code], [409, 'slot_taken', reason], start);
    }
    assert.equal((await book({ start: at('10:45') })).status, 201);
  });

  test('422: of what cannot be booked, with the reason at /start', async () => {
    const { book } = await newGuests(app);
    const starts = {
      past: '2026-11-29T10:00:00+09:00',
      too_soon: '2026-11-30T10:00:00+09:00',
      beyond_window: '2027-03-01T10:00:00+09:00',
      not_aligned: at('10:07'),
      outside_hours: at('20:00'),
    };
    for (const [reason, start] of Object.entries(starts)) {
      const { status, body } = await book({ start });
      assert.deepEqual(
        [status, body.code, body.errors],
        [422, 'not_bookable', [{ ...body.errors[0], path: '/start', code: reason }]],
      );
    }
  });

  test('422: of years that no calendar has, wherever one is asked for', async () => {
    const { desk, event_type, org_slug, slug } = await newGuests(app, { min_notice_minutes: 0 });
    const [last, first] = ['9999-12-31T23:00:00Z', '0001-01-01'];
    const guest = { name: '佐藤 花子', email: 'far@example.com' };
    const page = `/scheduler/p/${org_slug}/${slug}`;
    const replies = [
      await app.anonymous.post(`${page}/book`, { start: last, guest }),
      await app.anonymous.post(`${page}/hold`, { start: last }),
      await app.anonymous.get(`${page}/slots?from=${last}`),
      await desk.post('/scheduler/bookings', {
        event_type_id: event_type.id,
        start: last,
        guest,
        force: true,
      }),
      await desk.get(`/scheduler/event-types/${event_type.id}/explain?date=9999-12-31`),
      await desk.get(`/scheduler/calendar-events?from=${first}`),
    ];
    for (const { status, body } of replies)
      assert.deepEqual([status, body.errors?.[0].code], [422, 'out_of_range']);
  });

  test('409: of limits of the day and of the guest, whatever the case of the address', async () => {
    const { book } = await newGuests(app, { limits: { per_day: 2, active_per_guest: 1 } });
    assert.equal((await book({ start: at('10:00'), email: 'A@example.com' })).status, 201);
    const again = await book({ start: '2026-12-03T10:00:00+09:00', email: 'a@EXAMPLE.com' });
    assert.deepEqual([again.status, again.body.code], [409, 'limit_reached']);
    assert.equal((await book({ start: at('11:00') })).status, 201);
    const third = await book({ start: at('13:00') });
    assert.deepEqual([third.status, third.body.code], [409, 'limit_reached']);
  });

  test('422: of a name that turns the line around it, with what to do; Arabic is taken', async () => {
    const { book } = await newGuests(app);
    const by = (name: string) => book({ start: at('10:00'), guest: { name, email: 'guest@example.com' } });
    for (const name of ['佐藤\u202e子花', '\u2066Sato\u2069']) {
      const { status, body } = await by(name);
      assert.deepEqual(
        [status, body.errors[0].path, body.errors[0].code],
        [422, '/guest/name', 'invalid_characters'],
      );
      assert.match(body.errors[0].message, /type it anew/);
    }
    assert.equal((await by('\u0645\u062d\u0645\u062f')).status, 201);
  });

  test('422: of answers, guests, places and lengths that the type does not have', async () => {
    const { book } = await newGuests(app, {
      questions: [{ id: 'topic', label: '用件', type: 'short_text', required: true }],
      locations: [{ type: 'phone_guest' }, { type: 'link', value: 'https://meet.example/1' }],
    });
    const start = at('10:00');
    const paths = async (fields: object) => {
      const { status, body } = await book({ start, ...fields });
      assert.equal(status, 422);
      return body.errors.map(({ path }: { path: string }) => path);
    };
    const answers = { topic: '相談' };
    const everything = {
      duration_minutes: 45,
      answers: { other: 'x' },
      additional_guests: ['b@example.com'],
    };
    assert.deepEqual(await paths(everything), [
      '/duration_minutes',
      '/answers/other',
      '/answers/topic',
      '/additional_guests',
      '/guest/phone',
    ]);
    assert.deepEqual(await paths({ answers, location_type: 'in_person' }), ['/location_type']);
    assert.deepEqual(await paths({ answers }), ['/guest/phone']);
    const { body } = await book({ start, answers, location_type: 'link' });
    assert.deepEqual(body.booking.location, { type: 'link', label: null, value: 'https://meet.example/1' });
  });

  test('201: of answers as long as they may be', async () => {
    const ids = Array.from({ length: 30 }, (_, place) => `q${place}`);
    const { book } = await newGuests(app, {
      questions: ids.map((id) => ({ id, label: id, type: 'long_text' })),
    });
    const answers = Object.fromEntries(ids.map((id) => [id, 'あ'.repeat(5_000)]));
    const { status, body } = await book({ start: at('10:00'), answers });
    assert.deepEqual([status, body.booking?.answers], [201, answers]);
  });

  test('404: of a type that is not active, or of no organization', async () => {
    const { desk, event_type, book } = await newGuests(app);
    await desk.done('PATCH', `/event-types/${event_type.id}`, { is_active: false });
    assert.equal((await book({ start: at('10:00') })).status, 404);
  });

  test('429: a mailbox is told of 20 bookings and moves of strangers a day, whatever stands behind the +', async () => {
    const { desk, event_type, book } = await newGuests(app, { max_additional_guests: 2 });
    const companions = ['Victim+a@example.com', 'victim+b@example.com'];
    const first = await book({ start: at('10:00'), additional_guests: companions });
    assert.equal(first.status, 201, first.text);
    const move = (start: string) =>
      app.anonymous.post(`/scheduler/b/${first.body.token}/reschedule`, { start });
    const moves = [];
    for (let n = 0; n < 20; n += 1) moves.push((await move(at(n % 2 === 0 ? '11:00' : '12:00'))).status);
    assert.deepEqual(moves, [...Array(19).fill(200), 429]);
    const refused = await book({ start: at('14:00'), email: 'victim+c@example.com' });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await book({ start: at('14:00'), email: 'other@example.com' })).status, 201);
    const cancelled = await app.anonymous.post(`/scheduler/b/${first.body.token}/cancel`, {});
    assert.equal(cancelled.status, 200);
    const other = await newGuests(app);
    assert.equal((await other.book({ start: at('10:00'), email: 'victim@example.com' })).status, 201);
    const staff = { start: at('15:00'), guest: { name: '佐藤 花子', email: 'victim@example.com' } };
    await desk.done('POST', '/bookings', { event_type_id: event_type.id, ...staff });
  });

  test('replays with the same link, which the database does not hold', async () => {
    const { book, desk } = await newGuests(app);
    const first = await book({ start: at('10:00'), key: 'once', email: 'once@example.com' });
    const again = await book({ start: at('10:00'), key: 'once', email: 'once@example.com' });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    const kept = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<{ text: string }>(
        `SELECT coalesce(string_agg(row_to_json(kept)::text, ''), '') || (
           SELECT coalesce(string_agg(row_to_json(link)::text, ''), '') FROM links AS link WHERE link.organization_id = $1
         ) AS text FROM idempotency_keys AS kept WHERE kept.organization_id = $1`,
        [desk.organization_id],
      ),
    );
    assert.ok(kept[0]!.text.includes(first.body.booking.id));
    assert.ok(!kept[0]!.text.includes(first.body.token));
  });
});
