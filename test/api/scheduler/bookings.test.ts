import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { expireDueBookings } from '../../../shared/scheduler/bookings/expiry.ts';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';
import { storeRow } from '../../support/scheduler.ts';

const NOW = '2026-11-30T00:00:00.000Z';
let now = new Date(NOW);
const app = await startApp({ now: () => now });

/** Clock times of 2026-12-02, a Wednesday, in Tokyo. */
const at = (clock: string) => new Date(`2026-12-02T${clock}:00+09:00`).toISOString();

describe('a booking that waits', () => {
  const manual = { confirmation: { mode: 'manual', expires_after_minutes: 60 } };

  test('is confirmed once, of 10 calls at a time; a decline frees its time', async () => {
    const { desk, book } = await newGuests(app, manual);
    const { booking } = (await book({ start: at('10:00') })).body;
    assert.equal(booking.status, 'pending');
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => desk.post(`/scheduler/bookings/${booking.id}/confirm`)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
    const other = (await book({ start: at('11:00') })).body.booking;
    assert.equal((await book({ start: at('11:00') })).status, 409);
    await desk.done('POST', `/bookings/${other.id}/decline`, { reason: '満席です' });
    assert.equal((await book({ start: at('11:00') })).status, 201);
  });

  test('expires by its time, before any sweep, for who reads and who books', async () => {
    const { desk, book } = await newGuests(app, manual);
    const { booking } = (await book({ start: at('10:00') })).body;
    now = new Date(Date.parse(NOW) + 60 * 60_000);
    try {
      assert.equal((await desk.done('GET', `/bookings/${booking.id}`)).booking.status, 'expired');
      const listed = async (status: string) => (await desk.done('GET', `/bookings?status=${status}`)).total;
      assert.deepEqual([await listed('pending'), await listed('expired')], [0, 1]);
      assert.equal((await desk.post(`/scheduler/bookings/${booking.id}/confirm`)).status, 409);
      assert.equal((await book({ start: at('10:00') })).status, 201);
      const [row] = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
        query('SELECT status FROM scheduler_bookings WHERE id = $1', [booking.id]),
      );
      assert.deepEqual(row, { status: 'expired' });
    } finally {
      now = new Date(NOW);
    }
  });

  test('blocks nothing where the type says so, and is then confirmed only while its time is free', async () => {
    const confirmation = { mode: 'manual', expires_after_minutes: 60, pending_blocks: false };
    const { desk, book } = await newGuests(app, { confirmation });
    const first = (await book({ start: at('10:00') })).body.booking;
    const second = (await book({ start: at('10:00') })).body.booking;
    await desk.done('POST', `/bookings/${second.id}/confirm`);
    const { status, body } = await desk.post(`/scheduler/bookings/${first.id}/confirm`);
    assert.deepEqual([status, body.code], [409, 'slot_taken']);
  });

  test('is not confirmed while its host is not there or the calendar of the host is not known, and hears why', async () => {
    const confirmation = { mode: 'manual', expires_after_minutes: 60, pending_blocks: false };
    const { desk, book } = await newGuests(app, { confirmation });
    const { booking } = (await book({ start: at('10:00') })).body;
    const confirm = async () => {
      const { status, body } = await desk.post(`/scheduler/bookings/${booking.id}/confirm`);
      return [status, body.code, ...(body.errors ?? []).map(({ code }: { code: string }) => code)];
    };
    const [availability] = (await desk.done('GET', '/availability')).items;
    const { weekly } = availability;
    await desk.done('PATCH', `/availability/${availability.id}`, { weekly: [] });
    assert.deepEqual(await confirm(), [422, 'not_bookable', 'outside_hours']);
    await desk.done('PATCH', `/availability/${availability.id}`, { weekly });
    const times = { created_at: now, updated_at: now };
    const account = { user_id: desk.user_id, provider: 'google', account: 'a', account_key: 'a' };
    await storeRow(app, desk, 'scheduler_connections', {
      id: 'ccon_1',
      status: 'error',
      ...account,
      ...times,
    });
    const calendar = { id: 'primary', name: 'a', is_primary: true, checks_conflicts: true, position: 0 };
    const written = { connection_id: 'ccon_1', is_write_target: false };
    await storeRow(app, desk, 'scheduler_calendars', { ...calendar, ...written });
    assert.deepEqual(await confirm(), [503, 'calendar_unavailable']);
    await desk.done('PATCH', '/settings', { calendar_failure: 'open' });
    assert.equal((await confirm())[0], 200);
  });
});

describe('a booking that is moved', () => {
  test('keeps ID and link, frees its old time, and can be moved by half of itself', async () => {
    const { desk, book } = await newGuests(app, { duration_minutes: 60, slot_interval_minutes: 30 });
    const { booking, token } = (await book({ start: at('10:00') })).body;
    const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: at('10:30') });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(
      [moved.body.booking.id, moved.body.booking.start, moved.body.booking.revision],
      [booking.id, at('10:30'), 1],
    );
    const shown = (await desk.done('GET', `/bookings/${booking.id}`)).booking;
    assert.deepEqual(shown.history, [
      {
        revision: 0,
        start: at('10:00'),
        end: at('11:00'),
        user_ids: [desk.user_id],
        changed_at: NOW,
        changed_by: 'guest',
      },
    ]);
    const same = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: at('10:30') });
    assert.deepEqual(same.body.booking, moved.body.booking);
    assert.equal((await book({ start: at('09:30') })).status, 201);
    const events = (await desk.get('/events?types=scheduler.booking.rescheduled')).body.data;
    assert.equal(events.length, 1);
    assert.equal(events[0].previous_attributes.start, at('10:00'));
  });

  test('waits again where bookings are confirmed by hand and the guest moved it', async () => {
    const { desk, book } = await newGuests(app, { confirmation: { mode: 'manual' } });
    const { booking, token } = (await book({ start: at('10:00') })).body;
    await desk.done('POST', `/bookings/${booking.id}/confirm`);
    const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: at('11:00') });
    assert.equal(moved.body.booking.status, 'pending');
    const again = await desk.done('POST', `/bookings/${booking.id}/reschedule`, { start: at('13:00') });
    assert.equal(again.booking.status, 'pending');
    assert.equal((await desk.done('POST', `/bookings/${booking.id}/confirm`)).booking.status, 'confirmed');
  });

  test('409: past the cutoff for guests, and for none of staff', async () => {
    const { desk, book } = await newGuests(app, {
      cancel_cutoff_minutes: 4_320,
      reschedule_cutoff_minutes: null,
    });
    const { booking, token } = (await book({ start: at('10:00') })).body;
    assert.deepEqual(booking.available_actions, []);
    const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: at('11:00') });
    assert.deepEqual([moved.status, moved.body.code, moved.body.cutoff_at], [409, 'cutoff_passed', null]);
    const cancelled = await app.anonymous.post(`/scheduler/b/${token}/cancel`, {});
    assert.deepEqual(
      [cancelled.body.code, cancelled.body.cutoff_at],
      ['cutoff_passed', '2026-11-29T01:00:00.000Z'],
    );
    await desk.done('POST', `/bookings/${booking.id}/reschedule`, { start: at('11:00') });
  });
});

describe('a booking that ends', () => {
  test('is cancelled once, of 50 calls at a time, and its time is free', async () => {
    const { book, desk } = await newGuests(app);
    const { booking, token } = (await book({ start: at('10:00') })).body;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? app.anonymous.post(`/scheduler/b/${token}/cancel`, { reason: '急用' })
          : desk.post(`/scheduler/bookings/${booking.id}/cancel`),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(49).fill(409)]);
    assert.equal((await book({ start: at('10:00') })).status, 201);
  });

  test('is completed by its time, and a no-show after its start', async () => {
    const { desk, book } = await newGuests(app);
    const { booking } = (await book({ start: at('10:00') })).body;
    const no_show = (value: boolean) =>
      desk.post(`/scheduler/bookings/${booking.id}/no-show`, { no_show: value });
    assert.equal((await no_show(true)).status, 409);
    now = new Date(at('10:30'));
    try {
      const shown = (await desk.done('GET', `/bookings/${booking.id}`)).booking;
      assert.deepEqual([shown.status, shown.available_actions], ['completed', ['no-show']]);
      assert.deepEqual([(await no_show(false)).status, (await no_show(true)).status], [409, 200]);
      assert.equal((await no_show(false)).body.booking.status, 'completed');
      assert.equal((await desk.get('/events?types=scheduler.booking.no_show')).body.data.length, 1);
    } finally {
      now = new Date(NOW);
    }
  });
});

describe('a seat', () => {
  const seats = { seats_per_slot: 2 };

  test('is given back by who declines, or never confirms, a guest of a type that has seats no more', async () => {
    const { desk, event_type, book } = await newGuests(app, seats);
    await book({ start: at('10:00') });
    const confirmation = { mode: 'manual', expires_after_minutes: 60, pending_blocks: false };
    await desk.done('PATCH', `/event-types/${event_type.id}`, { seats_per_slot: 1, confirmation });
    const join = async () => (await book({ start: at('10:00') })).body.booking.id;
    await desk.done('POST', `/bookings/${await join()}/decline`, {});
    await join();
    const later = new Date(Date.parse(NOW) + 60 * 60_000);
    await expireDueBookings(app.database, later, new AbortController().signal);
    const { booking } = await desk.done('POST', `/bookings/${await join()}/confirm`);
    assert.equal(booking.status, 'confirmed');
  });

  test('of a cancelled session is not given back again, by a no-show that was none', async () => {
    const { desk, book } = await newGuests(app, seats);
    const { id } = (await book({ start: at('10:00') })).body.booking;
    const { session_id } = (await desk.done('GET', `/bookings/${id}`)).booking;
    now = new Date(at('10:10'));
    try {
      await desk.done('POST', `/bookings/${id}/no-show`, { no_show: true });
      await desk.done('POST', `/sessions/${session_id}/cancel`, {});
      await desk.done('POST', `/bookings/${id}/no-show`, { no_show: false });
      assert.equal((await desk.done('POST', `/bookings/${id}/cancel`, {})).booking.status, 'cancelled');
    } finally {
      now = new Date(NOW);
    }
  });
});

describe('staff who book', () => {
  test('201: with force whatever the hours say, but never over a booking', async () => {
    const { desk, event_type, book } = await newGuests(app);
    await book({ start: at('10:00') });
    const guest = { name: '電話の客', email: 'tel@example.com' };
    const post = (fields: object) =>
      desk.post('/scheduler/bookings', { event_type_id: event_type.id, guest, ...fields });
    assert.equal((await post({ start: at('20:00') })).status, 422);
    const { status, body } = await post({ start: at('20:00'), force: true, external_id: 'K-1' });
    assert.equal(status, 201);
    assert.deepEqual([body.booking.source, body.booking.created_by], ['staff', desk.user_id]);
    const within = await post({ start: at('20:30').replace(':00.000Z', ':30.000Z'), force: true });
    assert.deepEqual([within.status, within.body.errors?.[0].code], [422, 'not_aligned']);
    const over = await post({ start: at('10:15'), force: true });
    assert.deepEqual([over.status, over.body.code], [409, 'slot_taken']);
    const stranger = await post({ start: at('11:00'), user_ids: [(await desk.colleague()).user_id] });
    assert.equal(stranger.body.errors[0].path, '/user_ids/0');
  });

  test('201: with force what has been, by whoever was free then', async () => {
    const { desk, event_type } = await newGuests(app);
    const colleague = await desk.colleague();
    await desk.done('POST', `/event-types/${event_type.id}/members`, {
      assignment: 'round_robin',
      members: [{ user_id: desk.user_id, priority: 4 }, { user_id: colleague.user_id }],
    });
    const guest = { name: '電話の客', email: 'tel@example.com' };
    const body = { event_type_id: event_type.id, guest, start: '2026-11-16T10:00:00+09:00', force: true };
    const [first, second] = [
      await desk.done('POST', '/bookings', body),
      await desk.done('POST', '/bookings', body),
    ];
    assert.deepEqual(
      [first, second].map(({ booking }) => booking.hosts[0].user_id),
      [desk.user_id, colleague.user_id],
    );
    assert.equal((await desk.post('/scheduler/bookings', body)).body.code, 'slot_taken');
  });

  test('a list is narrowed by status, host, guest, time and text', async () => {
    const { desk, book, event_type } = await newGuests(app);
    await book({ start: at('10:00'), email: 'Hana@example.com' });
    await book({ start: at('11:00') });
    const total = async (query: string) => (await desk.done('GET', `/bookings?${query}`)).total;
    const found = await Promise.all(
      [
        'guest_email=hana@EXAMPLE.com',
        `user_id=${desk.user_id}`,
        `event_type_id=${event_type.id}&start_from=${at('10:30')}`,
        `user_id=${desk.user_id}&start_to=${at('11:00')}`,
        'search=hana@',
        'status=completed,cancelled',
      ].map(total),
    );
    assert.deepEqual(found, [1, 2, 1, 1, 1, 0]);
    const sorted = await desk.done('GET', '/bookings?sort=start:desc');
    assert.deepEqual(
      sorted.items.map(({ start }: { start: string }) => start),
      [at('11:00'), at('10:00')],
    );
  });

  test('the log names the guest by the booking, and tells nothing of what guests wrote', async () => {
    const { desk, book } = await newGuests(app, { locations: [{ type: 'phone_guest' }] });
    const guest = { name: '佐藤 花子', email: 'hanako@example.com', phone: '090-1111-2222' };
    const { booking, token } = (await book({ start: at('10:00'), guest })).body;
    await app.anonymous.post(`/scheduler/b/${token}/cancel`, {});
    const { items } = await desk.done('GET', `/audit-logs?entity_id=${booking.id}`);
    assert.deepEqual(
      items.map(({ actor, action }: { actor: object; action: string }) => [action, actor]),
      [
        ['update', { type: 'guest', id: booking.id }],
        ['create', { type: 'guest', id: booking.id }],
      ],
    );
    assert.equal(items[1].changes.guest[1], '***');
    assert.equal(items[1].changes.location[1], '***');
  });
});
