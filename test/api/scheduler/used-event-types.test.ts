import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { somebodyWaits, whileHeld } from '../../support/held.ts';
import { type Desk, newDesk, storeRow } from '../../support/scheduler.ts';
import { until } from '../../support/until.ts';

const app = await startApp();

const PATH = '/scheduler/event-types';

describe('an event type that is booked or proposed', () => {
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * 60_000);
  const booking = { is_counted: false, status: 'confirmed', start: at(-60), end: at(-30) };
  const waiting = { ...booking, status: 'pending', start: at(60), end: at(90) };
  const cases: [string, string, object, number][] = [
    ['a past booking', 'bookings', booking, 200],
    ['a booking that goes on', 'bookings', { ...booking, end: at(30) }, 409],
    ['a booking ahead', 'bookings', { ...booking, start: at(60), end: at(90) }, 409],
    ['a booking that waits', 'bookings', { ...waiting, pending_expires_at: at(30) }, 409],
    ['a booking that waited too long', 'bookings', { ...waiting, pending_expires_at: at(-30) }, 200],
    ['a cancelled booking', 'bookings', { ...waiting, status: 'cancelled' }, 200],
    ['an open proposal', 'proposals', { status: 'open', expires_at: at(30) }, 409],
    ['a proposal that was open too long', 'proposals', { status: 'open', expires_at: at(-30) }, 200],
    ['a declined proposal', 'proposals', { status: 'declined', expires_at: at(30) }, 200],
  ];

  for (const [name, kind, row, status] of cases) {
    test(`${status === 200 ? 'goes' : 'stays'} with ${name}`, async () => {
      const desk = await newDesk(app);
      const type = await desk.eventType();
      await (kind === 'bookings' ? storeBooking(desk, type.id, row) : storeProposal(desk, type.id, row));
      const reply = await desk.delete(`${PATH}/${type.id}`);
      assert.equal(reply.status, status, reply.text);
      if (status === 409) assert.equal(reply.body.code, 'in_use');
    });
  }
});

test('an event type is not deleted while it is proposed at the same moment', async () => {
  const desk = await newDesk(app);
  const type = await desk.eventType();
  const start = new Date(Math.ceil(Date.now() / 3_600_000 + 24) * 3_600_000).toISOString();
  const candidates = [{ start }];
  const guest = { name: '佐藤 花子', email: 'hanako@example.com' };
  const proposal = { event_type_id: type.id, candidates, guest, hold: 'none' };
  const [proposing, deleting] = await whileHeld(app.database, 'scheduler_proposals', async () => {
    const proposing = desk.post('/scheduler/proposals', proposal);
    await somebodyWaits(app.database);
    let isOver = false;
    const deleting = desk.delete(`${PATH}/${type.id}`).finally(() => {
      isOver = true;
    });
    await until('the other waits too, or is through', async () => isOver || (await waiting()) === 2);
    return [proposing, deleting];
  });
  assert.equal((await proposing).status, 201);
  const { status, body } = await deleting;
  assert.deepEqual([status, body.code], [409, 'in_use']);
});

/** How many wait for what another one holds. */
async function waiting(): Promise<number> {
  const rows = await app.database.withConnection('*', ({ query }) =>
    query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
  );
  return rows.length;
}

/** Writes a booking of an event type past the operations. */
function storeBooking(desk: Desk, event_type_id: string, row: object): Promise<void> {
  const guest = { guest: '{}', guest_email_key: 'a@example.com', search_text: '', search_grams: [] };
  const times = { assigned_at: new Date(), created_at: new Date(), updated_at: new Date() };
  const made = { source: 'staff', title: '面談', user_ids: '[]', ...times };
  return storeRow(app, desk, 'scheduler_bookings', {
    id: newId('book', new Date()),
    event_type_id,
    ...guest,
    ...made,
    ...row,
  });
}

/** Writes a proposal of an event type past the operations. */
function storeProposal(desk: Desk, event_type_id: string, row: object): Promise<void> {
  const asked = { duration_minutes: 30, user_ids: '[]', candidates: '[]', guest: '{}', hold: 'none' };
  return storeRow(app, desk, 'scheduler_proposals', {
    id: newId('prop', new Date()),
    event_type_id,
    title: '面談',
    created_at: new Date(),
    updated_at: new Date(),
    ...asked,
    ...row,
  });
}
