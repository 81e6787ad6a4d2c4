import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { type Desk, newDesk, storeRow } from '../../support/scheduler.ts';

const now = () => new Date('2026-11-24T01:00:00.000Z');
const app = await startApp({ now });

const PATH = '/scheduler/calendar-events';

type Span = { start: string; end: string };

type Shown = Span & { id: string | null; kind: string; title: string | null; [field: string]: unknown };

/** A span of 2026-12-01 by the hours in UTC. */
function hours(from: number, to: number): Span {
  const at = (hour: number) => `2026-12-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
  return { start: at(from), end: at(to) };
}

async function events(desk: Desk, query: string): Promise<Shown[]> {
  const { status, body, text } = await desk.get(`${PATH}?${query}`);
  assert.equal(status, 200, text);
  assert.equal(body.total, body.items.length);
  return body.items;
}

async function book(desk: Desk, title: string, span: Span, fields: object = {}): Promise<string> {
  const id = newId('book', now());
  const times = { created_at: now(), updated_at: now() };
  await storeRow(app, desk, 'scheduler_bookings', {
    id,
    title,
    ...span,
    status: 'confirmed',
    is_counted: false,
    guest: '{}',
    guest_email_key: `${id}@example.com`,
    user_ids: JSON.stringify([desk.user_id]),
    assigned_at: now(),
    source: 'staff',
    search_text: '',
    search_grams: [],
    ...times,
    ...fields,
  });
  await storeRow(app, desk, 'scheduler_booking_hosts', {
    booking_id: id,
    user_id: desk.user_id,
    start: span.start,
  });
  return id;
}

async function hold(desk: Desk, span: Span, expires_at: string): Promise<string> {
  const record_id = newId('bhold', now());
  const buffers = { buffer_before_minutes: 0, buffer_after_minutes: 0 };
  const of = { kind: 'hold', record_id, position: 0, user_id: desk.user_id };
  await storeRow(app, desk, 'scheduler_occupancies', { ...of, ...span, ...buffers, expires_at });
  return record_id;
}

async function external(desk: Desk, span: Span): Promise<{ id: string; connection_id: string }> {
  const [id, connection_id] = [newId('cevt', now()), newId('ccon', now())];
  const of = { user_id: desk.user_id, provider: 'google', account: 'a', account_key: 'a', status: 'active' };
  const times = { created_at: now(), updated_at: now() };
  await storeRow(app, desk, 'scheduler_connections', { id: connection_id, ...of, ...times });
  const calendar = { id: 'c', name: 'c', is_primary: true, checks_conflicts: true, is_write_target: true };
  await storeRow(app, desk, 'scheduler_calendars', { connection_id, ...calendar, position: 0 });
  const place = { connection_id, calendar_id: 'c', external_key: 'e', user_id: desk.user_id };
  await storeRow(app, desk, 'scheduler_external_events', {
    id,
    ...place,
    ...span,
    all_day: false,
    title: '通院',
  });
  return { id, connection_id };
}

/** Approved leave of a day for its kind. */
async function onLeave(desk: Desk, admin: Desk, day: string): Promise<string> {
  const made = await desk.post('/attendance/leave-requests', { type: 'sick', start_date: day });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.leave_request;
  const approved = await admin.post(`/attendance/leave-requests/${id}/approve`);
  assert.equal(approved.status, 200, approved.text);
  return id;
}

describe('calendar events', () => {
  test('are bookings, holds, blocks, external events and leave in one list by start, paged', async () => {
    const admin = await newDesk(app);
    const desk = await admin.colleague();
    const own = (
      await desk.done('POST', '/calendar-events', { ...hours(3, 4), title: '外出', external_id: 'K-1' })
    ).calendar_event;
    const booking = await book(desk, '面談', hours(1, 2));
    await book(desk, '取消', hours(1, 2), { status: 'cancelled' });
    await book(desk, '期限切れ', hours(1, 2), { status: 'pending', pending_expires_at: now() });
    const held = await hold(desk, hours(2, 3), '2026-11-24T01:00:00.001Z');
    await hold(desk, hours(14, 15), '2026-11-24T01:00:00.000Z');
    const abroad = await external(desk, hours(4, 5));
    const leave = await onLeave(desk, admin, '2026-12-02');
    await book(admin, '別の担当者', hours(1, 2));

    const range = 'from=2026-12-01&to=2026-12-03';
    const shown = await events(desk, range);
    assert.deepEqual(
      shown.map(({ kind, id, title }) => [kind, id, title]),
      [
        ['booking', booking, '面談'],
        ['hold', held, null],
        ['block', own.id, '外出'],
        ['external', abroad.id, '通院'],
        ['leave', leave, '病気休暇'],
      ],
    );
    assert.deepEqual(
      [shown[0]!['booking_id'], shown[3]!['connection_id'], shown[2]],
      [booking, abroad.connection_id, own],
    );
    assert.deepEqual(
      [shown[4]!.start, shown[4]!.end, shown[4]!['all_day']],
      ['2026-12-01T15:00:00.000Z', '2026-12-02T15:00:00.000Z', true],
    );
    const page = await desk.get(`${PATH}?${range}&limit=2&offset=1`);
    assert.deepEqual(
      [page.body.items.map(({ kind }: Shown) => kind), page.body.total],
      [['hold', 'block'], 5],
    );

    const seenByAdmin = await events(admin, `${range}&user_id=${desk.user_id}`);
    assert.deepEqual(
      seenByAdmin.map(({ kind, id, title }) => [kind, id, title]),
      [
        ['booking', booking, '面談'],
        ['hold', held, null],
        ['block', own.id, '外出'],
        ['external', abroad.id, null],
        ['block', null, null],
      ],
    );
    const seenByMember = await events(await admin.colleague(), `${range}&user_id=${desk.user_id}`);
    assert.deepEqual(seenByMember[2], {
      ...own,
      id: null,
      title: null,
      external_id: null,
      created_at: null,
      updated_at: null,
    });
    assert.deepEqual(seenByMember.slice(3), seenByAdmin.slice(3));
  });

  test('are those of seven days from today in the zone of the settings, of 62 at most', async () => {
    const desk = await newDesk(app);
    const at = (start: string) => {
      const end = new Date(Date.parse(start) + 60_000).toISOString();
      return desk.done('POST', '/calendar-events', { start, end, title: start });
    };
    for (const start of [
      '2026-11-23T14:58:00Z',
      '2026-11-23T15:00:00Z',
      '2026-11-30T14:59:00Z',
      '2026-11-30T15:00:00Z',
    ]) {
      await at(start);
    }
    const titles = (await events(desk, '')).map(({ title }) => title);
    assert.deepEqual(titles, ['2026-11-23T15:00:00Z', '2026-11-30T14:59:00Z']);
    assert.equal((await events(desk, 'from=2026-11-23T14:58:30Z&to=2027-01-23')).length, 4);
    for (const range of ['from=2026-12-01&to=2026-12-01', 'from=2026-12-01&to=2027-02-02']) {
      const reply = await desk.get(`${PATH}?${range}`);
      assert.equal(reply.status, 422, range);
    }
  });
});

describe('a block', () => {
  test('is made, changed and deleted, and told in the audit log alone', async () => {
    const desk = await newDesk(app);
    const told = await toldBy(app, desk.organization_id, async () => {
      const made = await desk.post(PATH, hours(1, 2));
      assert.equal(made.status, 201, made.text);
      const path = `${PATH}/${made.body.calendar_event.id}`;
      const stale = { 'If-Match': made.headers.get('etag')! };
      const changed = await desk.patch(path, { end: hours(1, 3).end, metadata: { a: '1' } }, stale);
      assert.deepEqual(
        [changed.status, changed.body.calendar_event.end, changed.body.calendar_event.metadata],
        [200, hours(1, 3).end, { a: '1' }],
      );
      assert.equal((await desk.delete(path, stale)).status, 412);
      assert.equal((await desk.delete(path)).status, 200);
      assert.equal((await desk.delete(path)).status, 404);
    });
    assert.deepEqual(
      told.audit.map(({ entity_type, action, changes }) => [
        entity_type,
        action,
        Object.keys(changes).sort(),
      ]),
      [
        ['block', 'create', ['created_at', 'end', 'id', 'metadata', 'start', 'user_id']],
        ['block', 'update', ['end', 'metadata']],
        ['block', 'delete', ['created_at', 'end', 'id', 'metadata', 'start', 'user_id']],
      ],
    );
    assert.deepEqual(told.events, []);
  });

  test('occupies its member for slots', async () => {
    const desk = await newDesk(app);
    await desk.availability();
    const type = await desk.eventType({ duration_minutes: 60 });
    const starts = async () => {
      const { slots } = await desk.done('GET', `/event-types/${type.id}/slots?from=2026-12-01&to=2026-12-02`);
      return slots.map(({ start }: Span) => start);
    };
    const before = await starts();
    await desk.done('POST', '/calendar-events', hours(1, 2));
    assert.ok(before.includes(hours(1, 2).start));
    assert.deepEqual(
      await starts(),
      before.filter((start: string) => start !== hours(1, 2).start),
    );
  });

  test('is refused where it ends before it starts, and where others own it', async () => {
    const owner = await newDesk(app);
    const member = await owner.colleague();
    const backwards = await owner.post(PATH, { start: hours(2, 3).start, end: hours(1, 2).end });
    assert.deepEqual([backwards.status, faultsIn(backwards.body)], [422, ['/end not_after_start']]);
    const far = await owner.post(PATH, { start: hours(2, 3).start, end: '2101-01-01T00:00:00Z' });
    assert.deepEqual([far.status, faultsIn(far.body)], [422, ['/end out_of_range']]);
    const other = (await owner.done('POST', '/calendar-events', { ...hours(1, 2), external_id: 'K-1' }))
      .calendar_event;
    for (const reply of [
      await member.post(PATH, { ...hours(1, 2), user_id: owner.user_id }),
      await member.patch(`${PATH}/${other.id}`, { title: 'x' }),
      await member.delete(`${PATH}/${other.id}`),
      await member.get(`${PATH}?external_id=K-1&user_id=${owner.user_id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [403, 'not_owner'], reply.text);
    }
    const taken = await member.post(PATH, { ...hours(1, 2), external_id: 'K-1' });
    assert.deepEqual([taken.status, taken.body.existing_id], [409, null]);
    const manager = await owner.colleague('manager');
    const made = await manager.post(PATH, { ...hours(3, 4), user_id: member.user_id });
    assert.deepEqual([made.status, made.body.calendar_event.user_id], [201, member.user_id]);
  });

  test('is found by its own ID and its last change at any time, among those that one may act on', async () => {
    const owner = await newDesk(app);
    const member = await owner.colleague();
    const other = (await owner.done('POST', '/calendar-events', { ...hours(1, 2), external_id: 'K-1' }))
      .calendar_event;
    assert.deepEqual(await events(owner, 'external_id=K-1,K-2'), [other]);
    assert.deepEqual(await events(owner, 'updated_after=2026-11-24T01:00:00Z'), [other]);
    assert.deepEqual(await events(owner, 'updated_before=2026-11-24T01:00:00Z'), []);
    assert.deepEqual(await events(member, 'external_id=K-1'), []);
  });
});
