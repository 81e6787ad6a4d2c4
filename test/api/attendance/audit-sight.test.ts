import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newWorkplace, session, type Workplace } from '../../support/attendance.ts';

const app = await startApp();

const DATE = '2026-11-04';

/** Every kind of record that is about a member, made for one; answers the IDs by kind. */
async function lived(owner: Workplace, member_id: string): Promise<Record<string, string>> {
  const make = async (path: string, name: string, body: object): Promise<string> =>
    (await owner.done('POST', path, { member_id, ...body }))[name].id;
  const sessions = [session(DATE, '00:00', '09:00')];
  const day = { work_date: DATE, reason: '打刻忘れ' };
  const span = { planned_start_at: `${DATE}T09:00:00Z`, planned_end_at: `${DATE}T11:00:00Z` };
  const leave = { type: 'sick', start_date: '2026-11-05' };
  const grant = { type: 'special', days: 3, granted_on: '2026-11-01', expires_on: '2027-10-31' };
  const { id: terms } = (
    await owner.done('POST', `/members/${member_id}/terms`, { effective_from: '2026-04-01' })
  ).terms;
  const roster = { items: [{ member_id, date: '2026-11-06', day_type: 'workday' }] };
  const opening = { items: [{ month: '2026-09', statutory_overtime_minutes: 60, legal_holiday_minutes: 0 }] };
  await owner.done('PUT', `/members/${member_id}/opening-months`, opening);
  const made = {
    member: member_id,
    opening_months: member_id,
    terms,
    roster_day: (await owner.done('PUT', '/roster', roster)).items[0].id,
    punch: await make('/punches', 'punch', { type: 'clock_in', occurred_at: '2026-11-02T00:00:00Z' }),
    correction: await make('/corrections', 'correction', { ...day, sessions }),
    overtime_request: await make('/overtime-requests', 'overtime_request', {
      ...day,
      kind: 'after',
      ...span,
    }),
    leave_request: await make('/leave-requests', 'leave_request', leave),
    leave_grant: await make('/leave-balances', 'leave_grant', grant),
    record: (await owner.done('PUT', `/records/${member_id}/${DATE}`, { sessions })).record.id,
  };
  const month = { month: '2026-10', accept_absences: true };
  return { ...made, submission: await make('/submissions', 'submission', month) };
}

/** What a worker writes when an import has ended. */
async function imported({ organization_id, actor }: Workplace): Promise<string> {
  const id = `${newId('aimp', new Date())}`;
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `INSERT INTO audit_logs (id, organization_id, domain, entity_type, entity_id, action, actor_type, actor_id, changes, created_at)
       VALUES ($1, $2, 'attendance', 'import', $3, 'create', 'user', $4, '{}', now())`,
      [newId('aud', new Date()), organization_id, id, actor.user_id],
    ),
  );
  return id;
}

/** The entries that somebody is shown, by kind and record. */
async function seenBy(client: Workplace, query = ''): Promise<Set<string>> {
  const { status, body, text } = await client.get(`/attendance/audit-logs?limit=200${query}`);
  assert.equal(status, 200, text);
  assert.equal(body.has_more ?? false, false);
  return new Set(
    body.items.map((one: Record<string, string>) => `${one['entity_type']} ${one['entity_id']}`),
  );
}

describe('the change history', () => {
  test('shows managers every kind of record of their team, and none of others', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const managed = await owner.department({ manager_member_id: manager.member_id });
    const below = await owner.department({ parent_id: managed.id });
    const inside = await owner.person({ department_id: below.id, hired_on: '2026-04-01' });
    const outside = await owner.person({ hired_on: '2026-04-01' });
    const [seen, hidden] = [await lived(owner, inside.id), await lived(owner, outside.id)];
    // The tests' colleagues come past the operations: nothing tells of how they were made.
    const { member: _, ...own } = await lived(owner, manager.member_id);
    const import_id = await imported(owner);
    const entries = (made: Record<string, string>) =>
      Object.entries(made).map(([kind, id]) => `${kind} ${id}`);
    const [all, team] = [await seenBy(owner), await seenBy(manager)];
    for (const entry of [...entries(seen), ...entries(own)]) assert.ok(team.has(entry), entry);
    for (const entry of [...entries(hidden), `import ${import_id}`]) {
      assert.ok(all.has(entry) && !team.has(entry), entry);
    }
    assert.ok(team.has(`department ${below.id}`));
    assert.deepEqual(await seenBy(await owner.colleague('admin')), all);
    for (const [kind, id] of Object.entries(hidden)) {
      assert.equal((await seenBy(manager, `&entity_type=${kind}&entity_id=${id}`)).size, 0, kind);
    }
  });

  test('is that of the team as it is now: with a department its entries go', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const managed = await owner.department({ manager_member_id: manager.member_id });
    const inside = await owner.person({ department_id: managed.id, hired_on: '2026-04-01' });
    const { correction } = await lived(owner, inside.id);
    assert.ok((await seenBy(manager)).has(`correction ${correction}`));
    await owner.done('PATCH', `/org/departments/${managed.id}`, { manager_member_id: null });
    assert.ok(!(await seenBy(manager)).has(`correction ${correction}`));
  });

  test('403: for members, about themselves too', async () => {
    const owner = await newWorkplace(app);
    const { status } = await (await owner.colleague('member')).get('/attendance/audit-logs');
    assert.equal(status, 403);
  });
});
