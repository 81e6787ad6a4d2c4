import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveIntervals } from '../../../shared/attendance/leave/intervals.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { startApp } from '../../support/app.ts';
import { askFor, newLeaveOffice, REQUESTS, setPlain } from '../../support/leave.ts';

const now = () => new Date('2026-11-24T01:00:00.000Z');
const app = await startApp({ now });

test('approved leave is told as intervals of the organization’s clock', async () => {
  const { manager, member, stranger } = await newLeaveOffice(app);
  const { organization_id, user_id } = member.actor;
  await setPlain(app, organization_id, { leave: { auto_grant: true, hourly_enabled: true } });
  const sick = { type: 'sick' };
  const asked = [
    { ...sick, start_date: '2026-12-04', end_date: '2026-12-07' },
    { ...sick, unit: 'half_am', start_date: '2026-12-08' },
    { ...sick, unit: 'hourly', start_date: '2026-12-09', start_time: '11:00', hours: 2 },
    { ...sick, start_date: '2026-12-14' },
  ];
  for (const [index, body] of asked.entries()) {
    const { id } = await askFor(member, body);
    // The last one is not approved.
    if (index < 3) assert.equal((await manager.post(`${REQUESTS}/${id}/approve`)).status, 200);
  }
  const told = (from: string, to: string) =>
    app.database.withConnection(organization_id, async (connection) => {
      const reader = {
        connection,
        organization_id,
        actor: systemActor,
        now: now(),
        request_id: null,
        ip_address: null,
      };
      const all = await leaveIntervals(reader, [user_id, stranger.actor.user_id], from, to);
      return all.map((one) => [one.user_id, one.start_at, one.end_at]);
    });
  assert.deepEqual(await told('2026-12-01', '2026-12-31'), [
    [user_id, '2026-12-03T15:00:00.000Z', '2026-12-07T15:00:00.000Z'],
    [user_id, '2026-12-07T15:00:00.000Z', '2026-12-08T04:00:00.000Z'],
    [user_id, '2026-12-09T02:00:00.000Z', '2026-12-09T05:00:00.000Z'],
  ]);
  assert.equal((await told('2026-12-07', '2026-12-07')).length, 1);
  assert.deepEqual(await told('2026-12-10', '2026-12-31'), []);
});
