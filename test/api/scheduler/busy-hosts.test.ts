import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newLeaveOffice } from '../../support/leave.ts';
import { type Desk, deskOf, newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:30 in Tokyo. */
const NOW = new Date('2026-11-26T00:30:00.000Z');

const app = await startApp({ now: () => NOW });

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

/** A calendar of a member with an event tomorrow from 9 to 17, which was synced so many hours ago. */
async function connect(desk: Desk, hours: number | null, checks_conflicts = true): Promise<void> {
  const synced = hours === null ? null : new Date(NOW.getTime() - hours * 3_600_000).toISOString();
  await write(
    desk,
    `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
       last_synced_at, created_at, updated_at)
     VALUES ($1, $2, $2, 'google', 'a', 'a', 'active', $3, now(), now())`,
    [desk.user_id, synced],
  );
  await write(
    desk,
    `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
       is_write_target, position) VALUES ($1, $2, 'primary', 'a', true, $3, true, 0)`,
    [desk.user_id, checks_conflicts],
  );
  await write(
    desk,
    `INSERT INTO scheduler_external_events VALUES ($1, $2, $2, 'primary', 'e', $2, $3, $4, false, '通院')`,
    [desk.user_id, '2026-11-27T00:00:00Z', '2026-11-27T08:00:00Z'],
  );
}

const TOMORROW = '?from=2026-11-27&to=2026-11-28';

describe('a calendar of a host', () => {
  test('keeps its events free of bookings, unless it does not check conflicts or was disconnected', async () => {
    const desk = await newDesk(app);
    await desk.availability();
    const { id } = await desk.eventType();
    await connect(desk, 1);
    const kept = ['2026-11-27T17:00', '2026-11-27T17:30'];
    assert.deepEqual(await startsOf(desk, id, TOMORROW), kept);
    await write(
      desk,
      `UPDATE scheduler_calendars SET checks_conflicts = false WHERE organization_id = $1`,
      [],
    );
    assert.equal((await startsOf(desk, id, TOMORROW)).length, 18);
    await write(
      desk,
      `UPDATE scheduler_calendars SET checks_conflicts = true WHERE organization_id = $1`,
      [],
    );
    await write(
      desk,
      `UPDATE scheduler_connections SET status = 'disconnected' WHERE organization_id = $1`,
      [],
    );
    assert.equal((await startsOf(desk, id, TOMORROW)).length, 18);
  });

  for (const [what, status, hours] of [
    ['that asks to be connected anew', 'reauth_required', 1],
    ['that fails', 'error', 1],
    ['that was not synced for more than a day', 'active', 25],
    ['that was never synced', 'active', null],
  ] as const) {
    test(`${what} leaves no free time, unless the settings say open`, async () => {
      const desk = await newDesk(app);
      await desk.availability();
      const { id } = await desk.eventType();
      await connect(desk, hours);
      await write(desk, 'UPDATE scheduler_connections SET status = $2 WHERE organization_id = $1', [status]);
      assert.deepEqual(await startsOf(desk, id), []);
      const { candidates } = await desk.done('GET', `/event-types/${id}/explain?date=2026-11-28`);
      const at = (start: string) => candidates.find((one: { start: string }) => one.start === start);
      assert.equal(at('2026-11-28T01:00:00.000Z').reason, 'calendar_unavailable');
      await desk.done('PATCH', '/settings', { calendar_failure: 'open' });
      assert.equal((await startsOf(desk, id, TOMORROW)).length, 2);
    });
  }

  test('that checks no conflicts may fail', async () => {
    const desk = await newDesk(app);
    await desk.availability();
    const { id } = await desk.eventType();
    await connect(desk, null, false);
    assert.equal((await startsOf(desk, id, TOMORROW)).length, 18);
  });
});

describe('leave', () => {
  test('of a host keeps its days free, unless the settings say otherwise; others hear that the time is taken', async () => {
    const { owner, member, manager } = await newLeaveOffice(app);
    const { organization_id, user_id } = member.actor;
    const desk = deskOf(app, owner, owner.actor);
    await deskOf(app, member, member.actor).availability();
    const { id } = await desk.eventType({ members: [{ user_id }] });
    const body = { type: 'sick', unit: 'half_am', start_date: '2026-11-27' };
    const asked = await member.post('/attendance/leave-requests', body);
    const { leave_request } = asked.body;
    const approved = await manager.post(`/attendance/leave-requests/${leave_request.id}/approve`);
    assert.equal(approved.status, 200, approved.text);
    assert.equal((await startsOf(desk, id, TOMORROW))[0], '2026-11-27T13:00');
    for (const [reader, blocked_by] of [
      [desk, { kind: 'block', id: null }],
      [deskOf(app, member, { organization_id, user_id }), { kind: 'leave', id: leave_request.id }],
    ] as const) {
      const { candidates } = await reader.done('GET', `/event-types/${id}/explain?date=2026-11-27`);
      const taken = candidates.filter(({ reason }: { reason: string }) => reason === 'busy');
      assert.deepEqual([taken[0].user_id, taken[0].blocked_by], [user_id, blocked_by]);
    }
    await desk.done('PATCH', '/settings', { block_on_leave: false });
    assert.equal((await startsOf(desk, id, TOMORROW))[0], '2026-11-27T09:00');
  });
});
