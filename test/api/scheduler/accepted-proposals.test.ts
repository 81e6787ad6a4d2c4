import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { type Desk, newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:00 in Japan. */
const START = new Date('2026-11-26T00:00:00.000Z');
let now = START;
const app = await startApp({ now: () => now });

const PROPOSALS = '/scheduler/proposals';
const GUEST = { name: '佐藤 花子', email: 'hanako@example.co.jp' };
const friday = (time: string) => `2026-11-27T${time}:00.000Z`;

/** A proposal of an hour, without an event type unless one is sent. */
async function propose(by: Desk, starts: readonly string[], more: object = {}) {
  const reply = await by.post(PROPOSALS, {
    title: 'お打ち合わせ',
    duration_minutes: 60,
    user_ids: [by.user_id],
    candidates: starts.map((start) => ({ start })),
    guest: GUEST,
    ...more,
  });
  assert.equal(reply.status, 201, reply.text);
  return {
    id: reply.body.proposal.id as string,
    path: `/scheduler${new URL(reply.body.guest_url).pathname}`,
  };
}

const accept = (path: string, start: string, more: object = {}) =>
  app.anonymous.post(`${path}/accept`, { start, ...more });

const spans = (by: Desk) =>
  app.database.withConnection(by.organization_id, ({ query }) =>
    query<{ kind: string; start: string }>(
      'SELECT kind, "start" FROM scheduler_occupancies WHERE organization_id = $1 ORDER BY user_id, "start"',
      [by.organization_id],
    ),
  );

describe('POST /pr/{token}/accept', () => {
  test('201: one time is booked, the others are free; the same start again is the same booking', async () => {
    const owner = await newDesk(app);
    const location = { type: 'link', label: 'オンライン', value: 'https://meet.example/a' };
    const { id, path } = await propose(owner, [friday('01:00'), friday('03:00')], { location });
    const told = await toldBy(app, owner.organization_id, async () => {
      const { status, body } = await accept(path, friday('03:00'));
      assert.equal(status, 201);
      assert.deepEqual([body.proposal.status, body.proposal.booking_id], ['accepted', body.booking.id]);
      assert.deepEqual(
        [body.booking.status, body.booking.start, body.booking.end, body.booking.location],
        ['confirmed', friday('03:00'), friday('04:00'), location],
      );
      assert.equal((await app.anonymous.get(`/scheduler/b/${body.token}`)).body.booking.id, body.booking.id);
      const again = await accept(path, '2026-11-27T12:00:00+09:00');
      assert.deepEqual([again.status, again.body.booking, again.body.token], [200, body.booking, body.token]);
    });
    assert.deepEqual(told.events.map(({ type }) => type).toSorted(), [
      'scheduler.booking.created',
      'scheduler.proposal.accepted',
    ]);
    assert.deepEqual(await spans(owner), [{ kind: 'booking', start: friday('03:00') }]);
    const another = await accept(path, friday('01:00'));
    assert.deepEqual([another.status, another.body.code], [409, 'invalid_transition']);
    const { booking } = (
      await owner.get(
        `/scheduler/bookings/${(await owner.get(`${PROPOSALS}/${id}`)).body.proposal.booking_id}`,
      )
    ).body;
    assert.deepEqual([booking.source, booking.proposal_id], ['proposal', id]);
  });

  test('an event type asks its questions; its members host', async () => {
    const owner = await newDesk(app);
    const questions = [{ id: 'topic', label: 'ご相談内容', type: 'short_text', required: true }];
    const { id } = await owner.eventType({ questions, buffer_after_minutes: 15 });
    const { path } = await propose(owner, [friday('01:00')], { event_type_id: id, user_ids: undefined });
    const refused = await accept(path, friday('01:00'));
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/answers/topic']);
    const unkept = await accept(path, friday('01:00'), { answers: { topic: 'a\0b' } });
    assert.deepEqual([unkept.status, unkept.body.errors[0].path], [422, '/answers/topic'], unkept.text);
    const { status, body } = await accept(path, friday('01:00'), { answers: { topic: '見積もり' } });
    assert.deepEqual(
      [status, body.booking.event_type_id, body.booking.answers],
      [201, id, { topic: '見積もり' }],
    );
  });

  test('409: what was taken meanwhile; the times that are free yet are told', async () => {
    const owner = await newDesk(app);
    const starts = [friday('01:00'), friday('03:00'), friday('05:00')];
    const open = await propose(owner, starts, { hold: 'none' });
    const other = await propose(owner, [friday('03:30')]);
    assert.equal((await accept(other.path, friday('03:30'))).status, 201);
    const refused = await accept(open.path, friday('03:00'));
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.alternatives],
      [409, 'slot_taken', [friday('01:00'), friday('05:00')]],
    );
    assert.equal((await accept(open.path, friday('05:00'))).status, 201);
  });

  test('409: a block of the host counts for times that are not held', async () => {
    const owner = await newDesk(app);
    const [held, open] = [
      await propose(owner, [friday('01:00')]),
      await propose(owner, [friday('03:00')], { hold: 'none' }),
    ];
    for (const [start, end] of [
      ['01:00', '02:00'],
      ['03:00', '04:00'],
    ]) {
      const block = { start: friday(start!), end: friday(end!), title: '外出' };
      assert.equal((await owner.post('/scheduler/calendar-events', block)).status, 201);
    }
    assert.equal((await accept(open.path, friday('03:00'))).body.code, 'slot_taken');
    assert.equal((await accept(held.path, friday('01:00'))).status, 201);
  });

  test('422: a start that is none of the candidates, or past', async () => {
    const owner = await newDesk(app);
    const { path } = await propose(owner, [friday('01:00'), friday('05:00')]);
    const refused = await accept(path, friday('01:30'));
    assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/start']);
    now = new Date(friday('02:00'));
    try {
      const past = await accept(path, friday('01:00'));
      assert.deepEqual(
        [past.status, past.body.code, past.body.errors[0].code],
        [422, 'not_bookable', 'past'],
      );
      assert.equal((await accept(path, friday('05:00'))).status, 201);
    } finally {
      now = START;
    }
  });

  test('a booking without an event type can be cancelled by its guest until it begins, and not moved', async () => {
    const owner = await newDesk(app);
    const { path } = await propose(owner, [friday('01:00')]);
    const { token } = (await accept(path, friday('01:00'))).body;
    const guest = `/scheduler/b/${token}`;
    const moved = await app.anonymous.post(`${guest}/reschedule`, { start: friday('03:00') });
    assert.deepEqual([moved.status, moved.body.code], [409, 'not_reschedulable']);
    const slots = await app.anonymous.get(`${guest}/slots`);
    assert.deepEqual([slots.status, slots.body.code], [409, 'not_reschedulable']);
    assert.equal((await app.anonymous.post(`${guest}/cancel`, {})).body.booking.status, 'cancelled');
    assert.deepEqual(await spans(owner), []);
  });
});

describe('at the same time', () => {
  const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).toSorted();

  test('ten accepts of two starts: one booking, which the equal ones answer', async () => {
    const owner = await newDesk(app);
    const { path } = await propose(owner, [friday('01:00'), friday('03:00')]);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, place) => accept(path, friday(place % 2 === 0 ? '01:00' : '03:00'))),
    );
    assert.deepEqual(statuses(replies), [...Array(4).fill(200), 201, ...Array(5).fill(409)]);
    assert.equal((await spans(owner)).length, 1);
  });

  test('accept, decline and withdraw: one of them', async () => {
    const owner = await newDesk(app);
    const { id, path } = await propose(owner, [friday('01:00')]);
    const replies = await Promise.all([
      accept(path, friday('01:00')),
      app.anonymous.post(`${path}/decline`, {}),
      owner.post(`${PROPOSALS}/${id}/withdraw`),
    ]);
    assert.equal(replies.filter(({ status }) => status < 300).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 2);
    const { proposal } = (await owner.get(`${PROPOSALS}/${id}`)).body;
    assert.equal((await spans(owner)).length, proposal.status === 'accepted' ? 1 : 0);
  });

  test('accepts of proposals that hold nothing, for one time: one', async () => {
    const owner = await newDesk(app);
    const open = await Promise.all(
      Array.from({ length: 8 }, () => propose(owner, [friday('01:00')], { hold: 'none' })),
    );
    const replies = await Promise.all(open.map(({ path }) => accept(path, friday('01:00'))));
    assert.deepEqual(statuses(replies), [201, ...Array(7).fill(409)]);
    assert.equal((await spans(owner)).length, 1);
  });
});
