import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

const shown = async (client: Workplace, query = '') =>
  (await client.get(`/attendance/members?limit=200${query}`)).body.items;

const names = async (client: Workplace, query = '') =>
  (await shown(client, query)).map(({ name }: { name: string }) => name).sort();

/** An owner, and a manager of one department with another below; a person in each, and one outside. */
async function team() {
  const owner = await newWorkplace(app);
  const manager = await owner.colleague('manager');
  const managed = await owner.department({ manager_member_id: manager.member_id });
  const below = await owner.department({ parent_id: managed.id });
  const inside = await owner.person({
    name: '部下',
    department_id: managed.id,
    email: 'inside@example.co.jp',
  });
  const deeper = await owner.person({ name: '孫部下', department_id: below.id });
  const outside = await owner.person({
    name: '他部署',
    email: 'outside@example.co.jp',
    employee_code: 'X-9',
  });
  return { owner, manager, managed, below, inside, deeper, outside };
}

describe('members', () => {
  test('without an account are made by owners and admins, and told in the audit log', async () => {
    const owner = await newWorkplace(app);
    const admin = await owner.colleague('admin');
    const told = await toldBy(app, owner.organization_id, async () => {
      const { status, body, headers } = await admin.post('/attendance/members', {
        name: '佐藤 一郎',
        email: 'Ichiro@Example.co.jp',
        employee_code: 'E-1',
        hired_on: '2024-04-01',
        external_id: 'K-1',
        metadata: { team: 'a' },
      });
      assert.equal(status, 201);
      assert.equal(headers.get('location'), `/api/v1/attendance/members/${body.member.id}`);
      assert.deepEqual(
        [body.member.email, body.member.user_id, body.member.role, body.member.status],
        ['ichiro@example.co.jp', null, null, 'active'],
      );
    });
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => `${entity_type} ${action}`),
      ['member create'],
    );
    assert.ok(!('terms' in told.audit[0]!.changes) && !('role' in told.audit[0]!.changes));
    for (const role of ['manager', 'member'] as const) {
      const refused = await (await owner.colleague(role)).post('/attendance/members', { name: '別人' });
      assert.deepEqual([refused.status, refused.body.code], [403, 'role_required']);
    }
  });

  test('are found by code, address, own ID, status, department with all below, and by their letters', async () => {
    const { owner, managed, outside } = await team();
    for (const query of [
      '&employee_code=X-9',
      '&email=outside@example.co.jp',
      '&search=他部',
      '&search=x-9',
    ]) {
      assert.deepEqual([query, await names(owner, query)], [query, ['他部署']]);
    }
    assert.deepEqual(await names(owner, `&department_id=${managed.id}`), ['孫部下', '部下']);
    await owner.done('PATCH', `/members/${outside.id}`, { left_on: '2020-01-31' });
    assert.deepEqual(await names(owner, '&status=left'), ['他部署']);
    assert.equal((await names(owner, '&status=left,active')).length, 5);
    const wrong = await owner.get('/attendance/members?status=gone');
    assert.deepEqual([wrong.status, faultsIn(wrong.body)], [422, ['status invalid_value']]);
  });

  test('have a code that is free of all others, also of two that take it at the same time', async () => {
    const owner = await newWorkplace(app);
    const answers = await Promise.all(
      [1, 2].map((n) => owner.post('/attendance/members', { name: `社員${n}`, employee_code: 'E-1' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    const made = answers.find(({ status }) => status === 201)!;
    assert.equal(refused.body.existing_id, made.body.member.id);
  });

  test('have left once their last day is over, and work again without it', async () => {
    const owner = await newWorkplace(app);
    const person = await owner.person({ hired_on: '2019-04-01' });
    const change = async (left_on: string | null) =>
      (await owner.done('PATCH', `/members/${person.id}`, { left_on })).member.status;
    assert.equal(await change('2020-01-31'), 'left');
    assert.equal(await change('2099-01-31'), 'active');
    assert.equal(await change(null), 'active');
    const backwards = await owner.patch(`/attendance/members/${person.id}`, { left_on: '2019-03-31' });
    assert.deepEqual([backwards.status, faultsIn(backwards.body)], [422, ['/left_on before_start']]);
  });

  test('keep the address of their account', async () => {
    const owner = await newWorkplace(app);
    const refused = await owner.patch(`/attendance/members/${owner.member_id}`, {
      email: 'new@example.co.jp',
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'email_of_account']);
    const renamed = await owner.patch(`/attendance/members/${owner.member_id}`, { name: '試験 花子' });
    assert.equal(renamed.status, 200);
  });

  test('change under If-Match, and a change that changes nothing is none', async () => {
    const owner = await newWorkplace(app);
    const person = await owner.person();
    const path = `/attendance/members/${person.id}`;
    const etag = (await owner.get(path)).headers.get('etag')!;
    const told = await toldBy(app, owner.organization_id, async () => {
      assert.equal((await owner.patch(path, { name: person.name }, { 'If-Match': etag })).status, 200);
    });
    assert.deepEqual(told.audit, []);
    assert.equal((await owner.patch(path, { name: '改名' }, { 'If-Match': etag })).status, 200);
    assert.equal((await owner.patch(path, { name: '再改名' }, { 'If-Match': etag })).status, 412);
  });
});

describe('the sight of members', () => {
  test('is all for owners and admins, the team for managers, oneself for others; of the rest name and department', async () => {
    const { owner, manager, inside, deeper, outside } = await team();
    const member = await owner.colleague('member');
    const whole = async (client: Workplace) =>
      (await shown(client))
        .filter((each: object) => 'status' in each)
        .map(({ id }: { id: string }) => id)
        .sort();
    assert.equal((await whole(owner)).length, 6);
    assert.deepEqual(await whole(manager), [manager.member_id, inside.id, deeper.id].sort());
    assert.deepEqual(await whole(member), [member.member_id]);
    const [colleague] = (await shown(member)).filter(({ id }: { id: string }) => id === outside.id);
    assert.deepEqual(Object.keys(colleague).sort(), ['department_id', 'id', 'name', 'object']);
  });

  test('lets nobody find what it hides', async () => {
    const { owner, manager, outside } = await team();
    const member = await owner.colleague('member');
    for (const client of [manager, member]) {
      for (const query of [
        '&email=outside@example.co.jp',
        '&employee_code=X-9',
        '&search=outside',
        '&search=x-9',
      ]) {
        assert.deepEqual([query, await names(client, query)], [query, []]);
      }
      assert.deepEqual(await names(client, '&search=他部'), ['他部署']);
      assert.equal((await client.get(`/attendance/members/${outside.id}`)).status, 404);
      const counted = await client.get('/attendance/members?email=outside@example.co.jp');
      assert.equal(counted.body.total, 0);
    }
    await owner.done('PATCH', `/members/${outside.id}`, { left_on: '2020-01-31' });
    assert.deepEqual(await names(member, '&search=他部'), []);
  });

  test('is 404 for whom one does not see, 403 for whom one sees and may not change', async () => {
    const { manager, inside, outside } = await team();
    const unseen = await manager.patch(`/attendance/members/${outside.id}`, { name: 'x' });
    assert.deepEqual([unseen.status, unseen.body.code], [404, 'not_found']);
    const seen = await manager.patch(`/attendance/members/${inside.id}`, { name: 'x' });
    assert.deepEqual([seen.status, seen.body.code], [403, 'role_required']);
  });

  test('of a manager ends with the department', async () => {
    const { owner, manager, managed, inside } = await team();
    assert.equal((await manager.get(`/attendance/members/${inside.id}`)).status, 200);
    await owner.done('PATCH', `/org/departments/${managed.id}`, { manager_member_id: null });
    assert.equal((await manager.get(`/attendance/members/${inside.id}`)).status, 404);
  });

  test('of a role that manages a department without being manager is oneself', async () => {
    const owner = await newWorkplace(app);
    const member = await owner.colleague('member');
    const department = await owner.department({ manager_member_id: member.member_id });
    const person = await owner.person({ department_id: department.id });
    assert.equal((await member.get(`/attendance/members/${person.id}`)).status, 404);
  });

  test('of the change history is that of the days', async () => {
    const { owner, manager, inside, outside } = await team();
    await owner.done('POST', `/members/${inside.id}/terms`, { effective_from: '2026-04-01' });
    await owner.done('POST', `/members/${outside.id}/terms`, { effective_from: '2026-04-01' });
    const seen = async (client: Workplace) =>
      (await client.get('/attendance/audit-logs?limit=200')).body.items.map(
        ({ entity_type, entity_id }: Record<string, string>) =>
          entity_type === 'member' ? `member ${entity_id}` : entity_type,
      );
    const [all, own] = [await seen(owner), await seen(manager)];
    assert.ok(all.includes(`member ${outside.id}`) && !own.includes(`member ${outside.id}`));
    assert.ok(own.includes(`member ${inside.id}`) && own.includes('department'));
    const terms = (entries: string[]) => entries.filter((entry) => entry === 'terms').length;
    assert.deepEqual([terms(all), terms(own)], [2, 1]);
  });
});
