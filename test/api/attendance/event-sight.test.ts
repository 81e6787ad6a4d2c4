import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, type Workplace } from '../../support/attendance.ts';

const app = await startApp();

type Shown = { id: string; type: string; data: { member_id?: string } };

/** An office where a manager has a department, somebody is in one below it, and somebody in none; all have clocked in. */
async function office() {
  const owner = await newWorkplace(app);
  const manager = await owner.colleague('manager');
  const inside = await owner.colleague();
  const outside = await owner.colleague();
  const managed = await owner.department({ manager_member_id: manager.member_id });
  const below = await owner.department({ parent_id: managed.id });
  await owner.done('PATCH', `/members/${inside.member_id}`, { department_id: below.id });
  for (const person of [outside, inside, owner, manager]) {
    await person.done('POST', '/punches', { type: 'clock_in' });
    const made = await owner.post('/crm/contacts', { first_name: '花子', last_name: '山田' });
    assert.equal(made.status, 201, made.text);
  }
  return { owner, manager, inside, outside };
}

async function polled(client: Workplace, order: string, limit: number, types = ''): Promise<Shown[]> {
  const seen: Shown[] = [];
  for (let from = ''; ; ) {
    const query = `order=${order}&limit=${limit}${types}${from && `&starting_after=${from}`}`;
    const { status, body, text } = await client.get(`/events?${query}`);
    assert.equal(status, 200, text);
    seen.push(...body.data);
    if (!body.has_more) return seen;
    assert.equal(body.data.length, limit);
    from = seen.at(-1)!.id;
  }
}

const aboutWhom = (events: Shown[]) =>
  events.flatMap(({ type, data }) => (type.startsWith('attendance.') ? [data.member_id] : []));

describe('events of attendance', () => {
  test('are those of all for owners, of the team with all below for managers, on pages of any length', async () => {
    const { owner, manager, inside, outside } = await office();
    const all = await polled(owner, 'asc', 100);
    assert.deepEqual(aboutWhom(all), [
      outside.member_id,
      inside.member_id,
      owner.member_id,
      manager.member_id,
    ]);
    const own = all.filter(
      ({ data }) => ![outside.member_id, owner.member_id].includes(data.member_id ?? ''),
    );
    assert.deepEqual(aboutWhom(own), [inside.member_id, manager.member_id]);
    const ids = own.map(({ id }) => id);
    for (const limit of [1, 2, ids.length - 1, ids.length, ids.length + 1]) {
      assert.deepEqual(
        (await polled(manager, 'asc', limit)).map(({ id }) => id),
        ids,
        `${limit}`,
      );
      assert.deepEqual(
        (await polled(manager, 'desc', limit)).map(({ id }) => id),
        ids.toReversed(),
      );
    }
    const clocked = await polled(manager, 'asc', 1, '&types=attendance.*');
    assert.deepEqual(aboutWhom(clocked), [inside.member_id, manager.member_id]);
  });

  test('404: of others by ID; they are a place to go on from all the same', async () => {
    const { owner, manager, inside, outside } = await office();
    const all = await polled(owner, 'asc', 100, '&types=attendance.*');
    for (const { id, data } of all) {
      const isSeen = [inside.member_id, manager.member_id].includes(data.member_id!);
      assert.equal((await manager.get(`/events/${id}`)).status, isSeen ? 200 : 404);
    }
    const [foreign] = all.filter(({ data }) => data.member_id === outside.member_id);
    const { body } = await manager.get(`/events?order=asc&types=attendance.*&starting_after=${foreign!.id}`);
    assert.deepEqual(aboutWhom(body.data), [inside.member_id, manager.member_id]);
  });

  test("are only other domains' for a manager who is no member of attendance and has no department", async () => {
    const { owner } = await office();
    const idle = await owner.colleague('manager');
    const seen = await polled(idle, 'asc', 3);
    assert.deepEqual(aboutWhom(seen), []);
    assert.ok(seen.length > 0);
  });
});
