import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { newDesk } from '../../support/scheduler.ts';

const app = await startApp();

const PATH = '/scheduler/availability';

describe('availability', () => {
  test('is of who makes it, in the zone of the settings, and the first one is the default', async () => {
    const desk = await newDesk(app);
    await desk.done('PATCH', '/settings', { time_zone: 'Europe/Paris' });
    const made = await desk.post(PATH, { name: '平日', is_default: false });
    assert.equal(made.status, 201, made.text);
    const { id, created_at, updated_at, ...shown } = made.body.availability;
    assert.deepEqual(shown, {
      object: 'scheduler.availability',
      user_id: desk.user_id,
      name: '平日',
      time_zone: 'Europe/Paris',
      is_default: true,
      weekly: [],
      overrides: [],
      closed_on_holidays: false,
      external_id: null,
      metadata: {},
    });
    assert.equal(made.headers.get('location'), `/api/v1${PATH}/${id}`);
    const read = await desk.get(`${PATH}/${id}`);
    assert.equal(read.headers.get('etag'), made.headers.get('etag'));
    assert.deepEqual(read.body, made.body);
  });

  test('keeps hours past midnight and up to 24:00, and dates with hours of their own', async () => {
    const desk = await newDesk(app);
    const sent = {
      time_zone: 'Asia/Calcutta',
      weekly: [
        { days: ['friday', 'saturday'], start: '22:00', end: '02:00' },
        { days: ['monday'], start: '00:00', end: '24:00' },
      ],
      overrides: [
        { date: '2026-12-29', intervals: [] },
        { date: '2026-12-28', intervals: [{ start: '10:00', end: '12:00' }] },
      ],
      closed_on_holidays: true,
    };
    const made = await desk.availability(sent);
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(made[name], value, name);
  });

  test('is refused where a field is wrong, at its place', async () => {
    const desk = await newDesk(app);
    const hours = (start: string, end: string) => ({ weekly: [{ days: ['monday'], start, end }] });
    const day = (date: string) => ({ date, intervals: [] });
    const cases: [object, string][] = [
      [{ name: '平\n日' }, '/name invalid_characters'],
      [{ time_zone: '+09:00' }, '/time_zone invalid_time_zone'],
      [hours('9:00', '18:00'), '/weekly/0/start invalid_format'],
      [hours('09:00', '25:00'), '/weekly/0/end invalid_format'],
      [hours('24:00', '01:00'), '/weekly/0/start invalid_format'],
      [hours('09:00', '09:00'), '/weekly/0/end empty_interval'],
      [{ weekly: [{ days: [], start: '09:00', end: '10:00' }] }, '/weekly/0/days too_small'],
      [{ overrides: [day('2027-02-30')] }, '/overrides/0/date invalid_format'],
      [{ overrides: [day('2027-02-28'), day('2027-02-28')] }, '/overrides/1/date duplicate'],
      [{ user_id: (await newDesk(app)).user_id }, '/user_id unknown_reference'],
    ];
    for (const [fields, fault] of cases) {
      const reply = await desk.post(PATH, { name: '平日', ...fields });
      assert.deepEqual([reply.status, faultsIn(reply.body)], [422, [fault]], JSON.stringify(fields));
    }
  });

  test('has one default a member: another one takes its place, also of 20 at the same time', async () => {
    const desk = await newDesk(app);
    const first = await desk.availability();
    const others = await Promise.all(Array.from({ length: 20 }, () => desk.availability()));
    const defaults = async () => {
      const { items } = await desk.done('GET', '/availability?limit=200');
      return items.filter((one: { is_default: boolean }) => one.is_default);
    };
    assert.deepEqual(await defaults(), [first]);
    const told = await toldBy(app, desk.organization_id, async () => {
      const replies = await Promise.all(
        others.map(({ id }) => desk.patch(`${PATH}/${id}`, { is_default: true })),
      );
      for (const { status, text } of replies) assert.equal(status, 200, text);
    });
    assert.equal((await defaults()).length, 1);
    assert.equal(told.audit.length, 40);
    const refused = await desk.patch(`${PATH}/${(await defaults())[0].id}`, { is_default: false });
    assert.deepEqual([refused.status, faultsIn(refused.body)], [422, ['/is_default default_needed']]);
  });

  test('of 20 first ones that are made at the same time one is the default', async () => {
    const desk = await newDesk(app);
    const made = await Promise.all(Array.from({ length: 20 }, () => desk.availability()));
    assert.equal(made.filter(({ is_default }) => is_default).length, 1);
  });

  test('that is the default or is named by an event type does not go', async () => {
    const desk = await newDesk(app);
    const first = await desk.availability();
    const named = await desk.availability();
    const type = await desk.eventType({ members: [{ user_id: desk.user_id, availability_id: named.id }] });
    for (const { id } of [first, named]) {
      const reply = await desk.delete(`${PATH}/${id}`);
      assert.deepEqual([reply.status, reply.body.code], [409, 'in_use']);
    }
    assert.equal((await desk.delete(`/scheduler/event-types/${type.id}`)).status, 200);
    assert.equal((await desk.delete(`${PATH}/${named.id}`)).status, 200);
    assert.equal((await desk.delete(`${PATH}/${named.id}`)).status, 404);
  });

  test('of others is for managers, admins and owners', async () => {
    const owner = await newDesk(app);
    const manager = await owner.colleague('manager');
    const member = await owner.colleague();
    const other = await owner.availability({ external_id: 'K-1' });
    const own = await member.availability();
    for (const reply of [
      await member.get(`${PATH}/${other.id}`),
      await member.get(`${PATH}?user_id=${owner.user_id}`),
      await member.post(PATH, { name: 'x', user_id: owner.user_id }),
      await member.patch(`${PATH}/${other.id}`, { name: 'x' }),
      await member.delete(`${PATH}/${other.id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [403, 'not_owner'], reply.text);
    }
    const ids = async (client: typeof owner, query = '') =>
      (await client.get(`${PATH}?${query}`)).body.items.map(({ id }: { id: string }) => id).sort();
    assert.deepEqual(await ids(member), [own.id]);
    assert.deepEqual(await ids(manager), [own.id, other.id].sort());
    assert.deepEqual(await ids(manager, `user_id=${member.user_id}`), [own.id]);
    assert.equal((await manager.patch(`${PATH}/${own.id}`, { name: '午前' })).status, 200);
    const made = await manager.post(PATH, { name: 'x', user_id: member.user_id });
    assert.deepEqual([made.status, made.body.availability.is_default], [201, false]);
    const taken = await member.patch(`${PATH}/${own.id}`, { external_id: 'K-1' });
    assert.deepEqual([taken.status, taken.body.existing_id], [409, null]);
  });
});
