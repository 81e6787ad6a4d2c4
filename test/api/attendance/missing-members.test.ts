import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runDaily } from '../../../workers/attendance/daily.ts';
import { startApp } from '../../support/app.ts';
import { askForDelivery, takeDelivery } from '../../support/deliveries.ts';
import { newEmail, newMember, newOwner } from '../../support/people.ts';

const app = await startApp();

describe('what the release before makes beside this one', () => {
  test('a membership and an open invitation without a member get one by the daily run, once', async () => {
    const owner = await newOwner(app);
    const { organization_id } = owner;
    const [joined, email, revoked] = [await newMember(app, owner, 'manager'), newEmail(), newEmail()];
    await owner.post('/invitations', { email, role: 'member' });
    const { invitation } = (await owner.post('/invitations', { email: revoked, role: 'member' })).body;
    await owner.delete(`/invitations/${invitation.id}`);
    await app.database.withConnection(organization_id, ({ query }) =>
      query('DELETE FROM attendance_members WHERE organization_id = $1 AND email = ANY ($2)', [
        organization_id,
        [joined.email, email],
      ]),
    );
    const asked = { organization_id, queue: 'report-export', name: 'attendance.daily' } as const;
    for (let times = 0; times < 2; times++) {
      const id = await askForDelivery(app.database, asked);
      await runDaily()({}, await takeDelivery({ database: app.database }, id));
    }
    const { items } = (await owner.get('/attendance/members')).body;
    const told = items.map((each: Record<string, unknown>) => [each['email'], each['status'], each['role']]);
    assert.deepEqual(
      told.sort(),
      [
        [owner.email, 'active', 'owner'],
        [joined.email, 'active', 'manager'],
        [email, 'invited', null],
      ].sort(),
    );
  });
});

describe('jobs of attendance', () => {
  test('404: are for who asked and for owners and admins, whatever scopes others have', async () => {
    const owner = await newOwner(app);
    const admin = await newMember(app, owner, 'admin');
    const [asking, other] = [await newMember(app, owner, 'manager'), await newMember(app, owner, 'manager')];
    const { id } = (await owner.get('/attendance/members')).body.items.find(
      (each: { email: string }) => each.email === other.email,
    );
    const request = await owner.post('/attendance/leave-requests', {
      type: 'sick',
      start_date: '2026-12-01',
      member_id: id,
    });
    assert.equal(request.status, 201, request.text);
    const batch = await asking.post('/attendance/leave-requests/batch', {
      action: 'approve',
      ids: [request.body.leave_request.id],
    });
    assert.equal(batch.status, 202, batch.text);
    const path = `/jobs/${batch.body.job.id}`;
    for (const [who, status] of [
      [asking, 200],
      [owner, 200],
      [admin, 200],
      [other, 404],
    ] as const) {
      assert.equal((await who.get(path)).status, status);
      const { items } = (await who.get('/jobs')).body;
      assert.equal(items.length, status === 200 ? 1 : 0);
    }
    assert.equal((await other.get(`${path}/file`)).status, 404);
    assert.equal((await other.post(`${path}/cancel`)).status, 404);
    assert.equal((await asking.post(`${path}/cancel`)).status, 200);
  });
});
