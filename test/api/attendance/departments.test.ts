import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

describe('departments', () => {
  test('are a tree that cannot be closed to a circle, also not by two moves at the same time', async () => {
    const owner = await newWorkplace(app);
    const top = await owner.department({ code: 'A' });
    const below = await owner.department({ parent_id: top.id });
    const circle = await owner.patch(`/attendance/org/departments/${top.id}`, { parent_id: below.id });
    assert.deepEqual(
      [circle.status, circle.body.code, faultsIn(circle.body)],
      [409, 'cycle', ['/parent_id cycle']],
    );
    const itself = await owner.patch(`/attendance/org/departments/${top.id}`, { parent_id: top.id });
    assert.deepEqual([itself.status, itself.body.code], [409, 'cycle']);
    const [one, other] = [await owner.department(), await owner.department()];
    const answers = await Promise.all([
      owner.patch(`/attendance/org/departments/${one.id}`, { parent_id: other.id }),
      owner.patch(`/attendance/org/departments/${other.id}`, { parent_id: one.id }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('go 20 levels deep', async () => {
    const owner = await newWorkplace(app);
    let parent_id: string | null = null;
    for (let level = 1; level <= 20; level += 1) parent_id = (await owner.department({ parent_id })).id;
    const deeper = await owner.post('/attendance/org/departments', { name: '二十一', parent_id });
    assert.deepEqual([deeper.status, faultsIn(deeper.body)], [422, ['/parent_id too_deep']]);
    assert.equal(deeper.body.detail, 'departments may have 20 levels, no more');
  });

  test('have one code each: of two that take it at the same time one gets it', async () => {
    const owner = await newWorkplace(app);
    const answers = await Promise.all(
      [1, 2].map((n) => owner.post('/attendance/org/departments', { name: `部署${n}`, code: 'X' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const [made] = answers.filter(({ status }) => status === 201);
    const [refused] = answers.filter(({ status }) => status === 409);
    assert.equal(refused!.body.existing_id, made!.body.department.id);
  });

  test('count their members, and are found by code and by parent', async () => {
    const owner = await newWorkplace(app);
    const top = await owner.department({ code: 'TOP' });
    await owner.department({ code: 'SUB', parent_id: top.id });
    await owner.person({ department_id: top.id });
    await owner.person({ department_id: top.id, left_on: '2020-01-31' });
    const { items } = (await owner.get('/attendance/org/departments?code=TOP')).body;
    assert.deepEqual([items.length, items[0].member_count], [1, 1]);
    const below = (await owner.get(`/attendance/org/departments?parent_id=${top.id}`)).body.items;
    assert.deepEqual(
      below.map(({ code }: { code: string }) => code),
      ['SUB'],
    );
  });

  test('name as manager and parent only what the organization has', async () => {
    const [owner, stranger] = [await newWorkplace(app), await newWorkplace(app)];
    const foreign = await stranger.department();
    for (const [field, value] of [
      ['manager_member_id', stranger.member_id],
      ['parent_id', foreign.id],
    ] as const) {
      const reply = await owner.post('/attendance/org/departments', { name: '営業部', [field]: value });
      assert.deepEqual(
        [reply.status, reply.body.code, faultsIn(reply.body)],
        [422, 'unknown_reference', [`/${field} unknown_reference`]],
      );
    }
    assert.equal((await owner.get(`/attendance/org/departments/${foreign.id}`)).status, 404);
    const gone = await owner.person({ left_on: '2020-01-31' });
    const left = await owner.post('/attendance/org/departments', {
      name: '営業部',
      manager_member_id: gone.id,
    });
    assert.equal(left.status, 422);
  });

  test('change with settings:write alone', async () => {
    const owner = await newWorkplace(app);
    const manager = await owner.colleague('manager');
    const refused = await manager.post('/attendance/org/departments', { name: '営業部' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
    assert.equal((await manager.get('/attendance/org/departments')).status, 200);
  });
});

describe('DELETE of a department', () => {
  test('409 with members or children, unless it is said where they go', async () => {
    const owner = await newWorkplace(app);
    const [top, other] = [await owner.department(), await owner.department()];
    const middle = await owner.department({ parent_id: top.id });
    const child = await owner.department({ parent_id: middle.id });
    const path = `/attendance/org/departments/${middle.id}`;
    assert.deepEqual([(await owner.delete(path)).body.code], ['in_use']);
    const people = [
      await owner.person({ department_id: middle.id }),
      await owner.person({ department_id: middle.id }),
    ];
    assert.equal((await owner.delete(path)).status, 409);
    const itself = await owner.delete(`${path}?move_members_to=${middle.id}`);
    assert.deepEqual([itself.status, faultsIn(itself.body)], [422, ['move_members_to unknown_reference']]);
    assert.equal((await owner.delete(`${path}?move_members_to=${other.id}`)).status, 200);
    for (const { id } of people) {
      assert.equal((await owner.get(`/attendance/members/${id}`)).body.member.department_id, other.id);
    }
    assert.equal(
      (await owner.get(`/attendance/org/departments/${child.id}`)).body.department.parent_id,
      top.id,
    );
    assert.equal((await owner.delete(path)).status, 404);
  });

  test('200 with people who have left: they lose it', async () => {
    const owner = await newWorkplace(app);
    const department = await owner.department();
    const gone = await owner.person({ department_id: department.id, left_on: '2020-01-31' });
    await owner.done('DELETE', `/org/departments/${department.id}`);
    assert.equal((await owner.get(`/attendance/members/${gone.id}`)).body.member.department_id, null);
  });
});

describe('POST /org/departments/batch', () => {
  test('makes and changes by code, parents before or behind', async () => {
    const owner = await newWorkplace(app);
    const known = await owner.department({ code: 'OLD', name: '旧' });
    const batch = await owner.done('POST', '/org/departments/batch', {
      items: [
        { name: '営業一課', code: 'S1', parent_code: 'S' },
        { name: '営業部', code: 'S', sort_order: 5 },
        { name: '新', code: 'OLD', parent_code: 'S' },
      ],
    });
    assert.deepEqual([batch.created, batch.updated], [2, 1]);
    const [first, second, third] = batch.items;
    assert.deepEqual(
      [first.parent_id, third.parent_id, third.id, third.name],
      [second.id, second.id, known.id, '新'],
    );
    const again = await owner.done('POST', '/org/departments/batch', {
      items: [{ name: '営業部', code: 'S' }],
    });
    assert.deepEqual([again.created, again.updated, again.items[0].sort_order], [0, 0, 5]);
    const freed = await owner.done('POST', '/org/departments/batch', {
      items: [{ name: '新', code: 'OLD', parent_code: null }],
    });
    assert.equal(freed.items[0].parent_id, null);
  });

  test('is refused whole, with each fault at its place', async () => {
    const owner = await newWorkplace(app);
    const twice = await owner.post('/attendance/org/departments/batch', {
      items: [
        { name: '一', code: 'A' },
        { name: '', code: 'A' },
        { name: '三', code: 'C', parent_code: 'Z' },
      ],
    });
    assert.deepEqual([twice.status, faultsIn(twice.body)], [422, ['/items/1/name too_short']]);
    const repeated = await owner.post('/attendance/org/departments/batch', {
      items: [
        { name: '一', code: 'A' },
        { name: '二', code: 'A' },
      ],
    });
    assert.deepEqual([repeated.status, faultsIn(repeated.body)], [422, ['/items/1/code duplicate']]);
    const lost = await owner.post('/attendance/org/departments/batch', {
      items: [
        { name: '一', code: 'A' },
        { name: '二', code: 'B', parent_code: 'Z' },
      ],
    });
    assert.deepEqual([lost.status, faultsIn(lost.body)], [422, ['/items/1/parent_code unknown_reference']]);
    const circle = await owner.post('/attendance/org/departments/batch', {
      items: [
        { name: '一', code: 'A', parent_code: 'B' },
        { name: '二', code: 'B', parent_code: 'A' },
      ],
    });
    assert.deepEqual(
      [circle.status, circle.body.code, faultsIn(circle.body)],
      [409, 'cycle', ['/items/0/parent_code cycle']],
    );
    assert.equal((await owner.get('/attendance/org/departments')).body.total, 0);
  });
});

describe('positions', () => {
  test('are made by hand and by batch, and leave their members to another one', async () => {
    const owner = await newWorkplace(app);
    const { position } = await owner.done('POST', '/org/positions', { name: '課長', code: 'M' });
    const batch = await owner.done('POST', '/org/positions/batch', {
      items: [
        { name: '課長', code: 'M', sort_order: 1 },
        { name: '部長', code: 'D' },
      ],
    });
    assert.deepEqual([batch.created, batch.updated, batch.items[0].id], [1, 1, position.id]);
    const person = await owner.person({ position_id: position.id });
    assert.equal((await owner.get(`/attendance/org/positions/${position.id}`)).body.position.member_count, 1);
    const refused = await owner.delete(`/attendance/org/positions/${position.id}`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use']);
    await owner.done('DELETE', `/org/positions/${position.id}?move_members_to=${batch.items[1].id}`);
    assert.equal(
      (await owner.get(`/attendance/members/${person.id}`)).body.member.position_id,
      batch.items[1].id,
    );
  });
});
