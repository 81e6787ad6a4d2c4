import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namingMembers } from '../../../shared/attendance/members/following.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { overtaken } from '../../support/held.ts';
import { newEmail, newOwner } from '../../support/people.ts';

const app = await startApp();

/** An owner who has invited somebody: the invitation, the member that was prepared, and what became of that one. */
async function inviting() {
  const owner = await newOwner(app);
  const email = newEmail();
  const { invitation } = (await owner.post('/invitations', { email, role: 'member' })).body;
  const present = async () => (await owner.get(`/attendance/members?email=${email}`)).body.items[0];
  const revoke = () => owner.delete(`/invitations/${invitation.id}`);
  const where = { database: app.database, organization_id: owner.organization_id };
  return { owner, where, member: await present(), present, revoke };
}

describe('a revoked invitation', () => {
  test('looks for its member in every table that refers to members', async () => {
    const keys = await app.database.withConnection('*', ({ query }) =>
      query<{ table: string; column: string }>(
        `SELECT relname AS table, attname AS column
           FROM pg_constraint AS key
           JOIN pg_class AS naming ON naming.oid = key.conrelid
           JOIN pg_attribute AS named ON named.attrelid = key.conrelid AND named.attnum = key.conkey[2]
          WHERE key.contype = 'f' AND key.confrelid = 'attendance_members'::regclass ORDER BY 1, 2`,
      ),
    );
    const found = keys.map(({ table, column }) => [table, column]);
    assert.deepEqual(namingMembers.toSorted(), found.toSorted());
  });

  test('leaves the member whose overtime before was noted', async () => {
    const { owner, member, present, revoke } = await inviting();
    const items = [{ month: '2026-04', statutory_overtime_minutes: 60, legal_holiday_minutes: 0 }];
    const noted = await owner.put(`/attendance/members/${member.id}/opening-months`, { items });
    assert.equal(noted.status, 200, noted.text);
    const revoked = await revoke();
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await present()).status, 'left');
  });

  test('leaves the member who is made the manager of a department at that moment', async () => {
    const { where, member, present, revoke } = await inviting();
    const revoked = await overtaken(
      where,
      ({ query }) =>
        query(
          `INSERT INTO attendance_departments (organization_id, id, name, manager_member_id, sort_order, created_at, updated_at)
           VALUES ($1, $2, '営業部', $3, 0, now(), now())`,
          [where.organization_id, newId('dept', new Date()), member.id],
        ),
      revoke,
    );
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await present()).status, 'left');
  });
});

describe('what names a member whose invitation is revoked at that moment', () => {
  const day = { work_date: '2026-10-05', reason: '打刻忘れ' };
  const calls: Record<string, object> = {
    corrections: { ...day, sessions: [] },
    'overtime-requests': {
      ...day,
      kind: 'after',
      planned_start_at: '2026-10-05T18:00:00+09:00',
      planned_end_at: '2026-10-05T20:00:00+09:00',
    },
    'leave-requests': { type: 'sick', start_date: '2026-10-05' },
    'leave-balances': { granted_on: '2026-10-01', days: 10 },
    submissions: { month: '2026-09', accept_absences: true },
    punches: { type: 'clock_in' },
  };
  for (const [path, body] of Object.entries(calls)) {
    test(`is told that there is none: ${path}`, async () => {
      const { owner, where, member } = await inviting();
      const reply = await overtaken(
        where,
        ({ query }) =>
          query('DELETE FROM attendance_members WHERE organization_id = $1 AND id = $2', [
            where.organization_id,
            member.id,
          ]),
        () => owner.post(`/attendance/${path}`, { ...body, member_id: member.id }),
      );
      assert.deepEqual(
        [reply.status, reply.body.code, faultsIn(reply.body)],
        [422, 'unknown_reference', ['/member_id unknown_reference']],
      );
    });
  }
});
