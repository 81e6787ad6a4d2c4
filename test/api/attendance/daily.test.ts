import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDailyRuns } from '../../../shared/attendance/daily/sweep.ts';
import { runDaily } from '../../../workers/attendance/daily.ts';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import { askForDelivery, takeDelivery } from '../../support/deliveries.ts';
import { newMember, newOwner } from '../../support/people.ts';

const app = await startApp();
const { signal } = new AbortController();

const queued = async (organization_id: string): Promise<number> => {
  const [row] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ count: number }>(
      `SELECT count(*) FROM outbox WHERE organization_id = $1 AND name = 'attendance.daily'`,
      [organization_id],
    ),
  );
  return row!.count;
};

const dueAt = async (organization_id: string): Promise<string> => {
  const [row] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ due_at: string }>('SELECT due_at FROM attendance_daily_runs WHERE organization_id = $1', [
      organization_id,
    ]),
  );
  return row!.due_at;
};

const run = async (organization_id: string) => {
  const asked = { organization_id, queue: 'report-export', name: 'attendance.daily' } as const;
  const id = await askForDelivery(app.database, asked);
  await runDaily()({}, await takeDelivery({ database: app.database }, id));
};

describe('the daily run', () => {
  test('is planned for half past midnight of the organization, started once, and made up once after a pause', async () => {
    const owner = await newOwner(app);
    const { organization_id } = owner;
    const first = new Date(await dueAt(organization_id));
    assert.match(first.toISOString(), /T15:30:00/);
    await startDailyRuns(app.database, new Date(first.getTime() - 1), signal);
    assert.equal(await queued(organization_id), 0);
    await Promise.all([1, 2].map(() => startDailyRuns(app.database, first, signal)));
    assert.equal(await queued(organization_id), 1);
    const later = new Date(first.getTime() + 3 * 86_400_000 + 3_600_000);
    await startDailyRuns(app.database, later, signal);
    assert.equal(await queued(organization_id), 2);
    assert.equal(await dueAt(organization_id), new Date(first.getTime() + 4 * 86_400_000).toISOString());
    await owner.patch('/attendance/settings', {
      time_zone: 'America/New_York',
      effective_from: '2020-01-01',
    });
    assert.match(await dueAt(organization_id), /T0[45]:30:00/);
  });

  test('ends the memberships of those whose last day is over, but not that of the last owner', async () => {
    const owner = await newOwner(app);
    const [leaving, staying] = [await newMember(app, owner, 'member'), await newMember(app, owner, 'member')];
    const { items } = (await owner.get('/attendance/members')).body;
    const idOf = (email: string) => items.find((each: { email: string }) => each.email === email).id;
    const change = (email: string, left_on: string) =>
      owner.patch(`/attendance/members/${idOf(email)}`, { left_on });
    await change(leaving.email, '2020-01-31');
    await change(owner.email, '2020-01-31');
    await change(staying.email, '2099-01-31');
    await run(owner.organization_id);
    await run(owner.organization_id);
    assert.equal((await leaving.get('/organization')).status, 401);
    const rows = (await owner.get('/attendance/members')).body.items;
    assert.deepEqual(Object.fromEntries(rows.map((row: Record<string, string>) => [row.email, row.status])), {
      [owner.email]: 'active',
      [leaving.email]: 'left',
      [staying.email]: 'active',
    });
    assert.equal(rows.find((row: { email: string }) => row.email === leaving.email).left_on, '2020-01-31');
  });

  test('notes that people without an account have left', async () => {
    const owner = await newWorkplace(app);
    const person = await owner.person({ left_on: '2099-01-31' });
    await app.database.withConnection(owner.organization_id, ({ query }) =>
      query(`UPDATE attendance_members SET left_on = '2020-01-31' WHERE organization_id = $1 AND id = $2`, [
        owner.organization_id,
        person.id,
      ]),
    );
    await run(owner.organization_id);
    assert.equal((await owner.get(`/attendance/members/${person.id}`)).body.member.status, 'left');
  });
});
