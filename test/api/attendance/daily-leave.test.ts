import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDaily } from '../../../workers/attendance/daily.ts';
import { startApp } from '../../support/app.ts';
import { askForDelivery, takeDelivery } from '../../support/deliveries.ts';
import { BALANCES, changeMember, newLeaveOffice, setPlain } from '../../support/leave.ts';

const app = await startApp();

async function run(organization_id: string): Promise<void> {
  const asked = { organization_id, queue: 'report-export', name: 'attendance.daily' } as const;
  const id = await askForDelivery(app.database, asked);
  await runDaily()({}, await takeDelivery({ database: app.database }, id));
}

test('the daily run grants what the law asks for since a member was made, once, and where it is wanted', async () => {
  const { owner, member } = await newLeaveOffice(app);
  const { organization_id } = member.actor;
  // Hired a year ago: the first grant was half a year ago, the next one comes in half a year.
  const hired_on = Temporal.Now.plainDateISO('Asia/Tokyo').subtract({ months: 12 }).toString();
  await changeMember(owner, member.member_id, { hired_on });
  const granted = async (): Promise<unknown[]> =>
    (await member.get(`${BALANCES}/me`)).body.leave_balance.grants.map(
      ({ days, reason, created_by }: Record<string, unknown>) => [days, reason, created_by],
    );
  await run(organization_id);
  // The member was made today: what was before is for people to grant.
  assert.deepEqual(await granted(), []);
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE attendance_members SET created_at = created_at - interval '400 days' WHERE organization_id = $1`,
      [organization_id],
    ),
  );
  await setPlain(app, organization_id, { leave: { auto_grant: false, hourly_enabled: false } });
  await run(organization_id);
  assert.deepEqual(await granted(), []);
  await setPlain(app, organization_id, { leave: { auto_grant: true, hourly_enabled: false } });
  await run(organization_id);
  await run(organization_id);
  assert.deepEqual(await granted(), [[10, 'statutory', null]]);
});
