import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { newMember, newOwner } from '../../support/people.ts';
import { type Desk, deskOf, newDesk } from '../../support/scheduler.ts';

const app = await startApp();

const PATH = '/scheduler/event-types';

/** An owner with two colleagues. */
async function team() {
  const owner = await newDesk(app);
  return { owner, one: await owner.colleague(), other: await owner.colleague() };
}

const named = (...desks: Pick<Desk, 'user_id'>[]) => desks.map(({ user_id }) => ({ user_id }));

/** An owner with a session, who may remove people. */
async function head(): Promise<Desk> {
  const person = await newOwner(app);
  return deskOf(app, person, person);
}

/** Somebody who is removed by a call. */
async function guest(owner: Desk) {
  const { user_id, member_id } = await newMember(app, owner, 'member');
  return { user_id, leaves: () => owner.delete(`/members/${member_id}`) };
}

describe('members', () => {
  test('have the role that the assignment asks for unless they say one, and are replaced as a whole', async () => {
    const { owner, one, other } = await team();
    const hours = await one.availability();
    const type = await owner.eventType({ assignment: 'round_robin', members: named(one, other) });
    assert.deepEqual(
      type.members.map(({ role }: { role: string }) => role),
      ['rotating', 'rotating'],
    );
    const told = await toldBy(app, owner.organization_id, async () => {
      const { event_type } = await owner.done('POST', `/event-types/${type.id}/members`, {
        assignment: 'collective',
        members: [
          { user_id: other.user_id, priority: 4 },
          { user_id: one.user_id, role: 'optional', availability_id: hours.id },
        ],
      });
      assert.deepEqual(event_type.members, [
        { user_id: other.user_id, role: 'required', priority: 4, availability_id: null },
        { user_id: one.user_id, role: 'optional', priority: 2, availability_id: hours.id },
      ]);
      assert.deepEqual((await owner.get(`${PATH}/${type.id}`)).body, { event_type });
    });
    assert.deepEqual(Object.keys(told.audit[0]!.changes).sort(), ['assignment', 'members']);
  });

  test('that do not fit are refused', async () => {
    const owner = await head();
    const [one, other] = [await owner.colleague(), await owner.colleague()];
    const foreign = await newDesk(app);
    const gone = await guest(owner);
    assert.equal((await gone.leaves()).status, 200);
    const hours = await one.availability();
    const type = await owner.eventType();
    const cases: [object, string, string][] = [
      [{ members: [] }, 'no_members', '/members no_members'],
      [{ members: named(one, other) }, 'members_mismatch', '/members members_mismatch'],
      [
        { members: [{ user_id: one.user_id, role: 'optional' }] },
        'members_mismatch',
        '/members members_mismatch',
      ],
      [{ members: named(one, one) }, 'validation_failed', '/members/1/user_id duplicate'],
      [{ members: named(foreign) }, 'unknown_reference', '/members/0/user_id unknown_reference'],
      [{ members: named(gone) }, 'unknown_reference', '/members/0/user_id unknown_reference'],
      [
        { members: [{ user_id: other.user_id, availability_id: hours.id }] },
        'unknown_reference',
        '/members/0/availability_id unknown_reference',
      ],
      [
        { members: [{ user_id: one.user_id, priority: 5 }] },
        'validation_failed',
        '/members/0/priority too_large',
      ],
    ];
    for (const [fields, code, fault] of cases) {
      for (const reply of [
        await owner.post(`${PATH}/${type.id}/members`, fields),
        await owner.post(PATH, { title: '面談', duration_minutes: 30, ...fields }),
      ]) {
        const found = [reply.status, reply.body.code, faultsIn(reply.body)];
        assert.deepEqual(found, [422, code, [fault]], JSON.stringify(fields));
      }
    }
  });

  test('keep an assignment that they do not fit from being set alone', async () => {
    const { owner, one, other } = await team();
    const type = await owner.eventType({ assignment: 'collective', members: named(one, other) });
    const refused = await owner.patch(`${PATH}/${type.id}`, { assignment: 'single' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'members_mismatch']);
    const { event_type } = await owner.done('POST', `/event-types/${type.id}/members`, {
      assignment: 'single',
      members: named(other),
    });
    assert.equal(event_type.assignment, 'single');
  });
});

describe('who leaves', () => {
  test('is taken out of event types in that commit; one that lacks those it needs becomes inactive', async () => {
    const owner = await head();
    const [one, other] = [await guest(owner), await owner.colleague()];
    const alone = await owner.eventType({ members: named(one) });
    const shared = await owner.eventType({ assignment: 'round_robin', members: named(one, other) });
    const without = await owner.eventType({ members: named(other) });
    const told = await toldBy(app, owner.organization_id, one.leaves);
    const now = async ({ id }: { id: string }) => (await owner.get(`${PATH}/${id}`)).body.event_type;
    const [first, second, third] = [await now(alone), await now(shared), await now(without)];
    assert.deepEqual([first.members, first.is_active], [[], false]);
    assert.deepEqual(
      [second.members.map(({ user_id }: { user_id: string }) => user_id), second.is_active],
      [[other.user_id], true],
    );
    assert.deepEqual(third, without);
    const changes = told.audit.filter(({ entity_type }) => entity_type === 'event_type');
    assert.deepEqual(
      changes.map(({ entity_id, changes }) => [entity_id, Object.keys(changes).sort()]),
      [
        [alone.id, ['is_active', 'members']],
        [shared.id, ['members']],
      ],
    );
    const refused = await owner.patch(`${PATH}/${alone.id}`, { is_active: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'members_mismatch']);
    await owner.done('POST', `/event-types/${alone.id}/members`, { members: named(other) });
    assert.equal((await owner.patch(`${PATH}/${alone.id}`, { is_active: true })).status, 200);
  });

  test('is in no event type afterwards that gets new members at the same moment', async () => {
    const owner = await head();
    const types = await Promise.all(Array.from({ length: 8 }, () => owner.eventType()));
    for (let round = 0; round < 3; round += 1) {
      const gone = await guest(owner);
      const [left, ...replies] = await Promise.all([
        gone.leaves(),
        ...types.map(({ id }) => owner.post(`${PATH}/${id}/members`, { members: named(gone) })),
      ]);
      assert.equal(left.status, 200, left.text);
      for (const { status, text } of replies) assert.ok(status === 200 || status === 422, text);
      const { body } = await owner.get(`${PATH}?user_id=${gone.user_id}`);
      assert.deepEqual(body.items, []);
    }
  });
});
