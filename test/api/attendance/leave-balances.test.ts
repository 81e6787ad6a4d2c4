import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  askFor,
  BALANCES,
  changeMember,
  grantDays,
  newLeaveOffice,
  REQUESTS,
  setPlain,
} from '../../support/leave.ts';

/** A Tuesday, 10:00 in Japan. */
const now = () => new Date('2026-11-24T01:00:00.000Z');
const app = await startApp({ now });

describe('a balance', () => {
  test('has what was used, reserved and left, to halves and hours', async () => {
    const office = await newLeaveOffice(app);
    const { member, manager } = office;
    await setPlain(app, member.actor.organization_id, { leave: { auto_grant: true, hourly_enabled: true } });
    await grantDays(office, member.member_id, 12);
    const past = await askFor(member, { start_date: '2026-11-16', end_date: '2026-11-18' });
    const hours = { unit: 'hourly', start_date: '2026-11-19', start_time: '09:00', hours: 7 };
    const more = { ...hours, start_date: '2026-11-20', hours: 6 };
    const filed = [past, await askFor(member, hours), await askFor(member, more)];
    for (const { id } of filed) await manager.post(`${REQUESTS}/${id}/approve`);
    await askFor(member, { unit: 'half_am', start_date: '2026-12-02' });
    const { leave_balance } = (await member.get(`${BALANCES}/me`)).body;
    const [grant] = leave_balance.grants;
    assert.deepEqual(
      [grant.used_days, grant.used_hours, grant.reserved_days, grant.remaining_days, grant.remaining_hours],
      [3, 13, 0.5, 6.5, 3],
    );
    assert.deepEqual(
      [leave_balance.total_remaining_days, leave_balance.remaining_hours, leave_balance.hours_per_day],
      [6.5, 3, 8],
    );
    assert.equal(leave_balance.hourly_cap_left_hours, 27);
    assert.deepEqual(leave_balance.five_day, {
      window_start: '2026-04-01',
      window_end: '2027-03-31',
      months: 12,
      required_days: 5,
      taken_days: 3,
      met: false,
    });
    const before = await member.get(`${BALANCES}/me?as_of=2026-11-16`);
    assert.deepEqual(
      [before.body.leave_balance.grants[0].used_days, before.body.leave_balance.grants[0].reserved_days],
      [1, 2.5],
    );
  });

  test('lapses after the last day', async () => {
    const office = await newLeaveOffice(app);
    const id = await grantDays(office, office.member.member_id, 5, {
      granted_on: '2026-04-01',
      expires_on: '2026-11-23',
    });
    const { leave_grant } = (await office.member.get(`${BALANCES}/${id}`)).body;
    assert.deepEqual([leave_grant.remaining_days, leave_grant.lapsed_days], [0, 5]);
  });

  test('names the next grant of the law, by the terms', async () => {
    const office = await newLeaveOffice(app);
    await changeMember(office.owner, office.member.member_id, { hired_on: '2025-04-01' });
    const { leave_balance } = (await office.member.get(`${BALANCES}/me`)).body;
    assert.deepEqual(leave_balance.next_grant, { granted_on: '2027-10-01', days: 12 });
  });
});

describe('the list of balances', () => {
  test('has those that the caller sees, by employee_code, with the member as cursor', async () => {
    const { owner, manager, member, stranger, admin } = await newLeaveOffice(app);
    await changeMember(owner, stranger.member_id, { employee_code: 'A-1' });
    await changeMember(owner, member.member_id, { employee_code: 'A-2' });
    const first = (await owner.get(`${BALANCES}?cursor_mode=true&limit=2`)).body;
    assert.deepEqual(
      first.data.map(({ id }: { id: string }) => id),
      [stranger.member_id, member.member_id],
    );
    const rest = (await owner.get(`${BALANCES}?starting_after=${member.member_id}`)).body;
    assert.deepEqual(
      new Set(rest.data.map(({ id }: { id: string }) => id)),
      new Set([owner.member_id, admin.member_id, manager.member_id]),
    );
    const ids = async (client: typeof owner) =>
      (await client.get(BALANCES)).body.items.map(({ member_id }: { member_id: string }) => member_id).sort();
    assert.deepEqual(await ids(manager), [manager.member_id, member.member_id].sort());
    assert.deepEqual(await ids(member), [member.member_id]);
  });

  test('leaves those who must take five days and have not', async () => {
    const office = await newLeaveOffice(app);
    const { owner, member, stranger, manager } = office;
    await grantDays(office, member.member_id, 10);
    await grantDays(office, stranger.member_id, 9.5);
    const at_risk = async () => (await owner.get(`${BALANCES}?at_risk=five_day`)).body;
    assert.deepEqual([(await at_risk()).total, (await at_risk()).items[0].member_id], [1, member.member_id]);
    const { id } = await askFor(member, { start_date: '2026-11-09', end_date: '2026-11-13' });
    await manager.post(`${REQUESTS}/${id}/approve`);
    assert.equal((await at_risk()).total, 0);
  });
});

describe('grants by hand', () => {
  test('end as the law says for annual leave, and must say it for other kinds', async () => {
    const office = await newLeaveOffice(app);
    const { owner, member } = office;
    const made = await owner.post(BALANCES, {
      member_id: member.member_id,
      days: 1.5,
      granted_on: '2028-02-29',
    });
    assert.deepEqual([made.status, made.body.leave_grant.expires_on], [201, '2030-02-28']);
    assert.equal(made.body.leave_balance.member_id, member.member_id);
    const without = await owner.post(BALANCES, { type: 'special', days: 1, granted_on: '2026-04-01' });
    assert.deepEqual([without.status, without.body.errors[0].path], [422, '/expires_on']);
    for (const days of [0, 0.25, -1, 1000]) {
      const refused = await owner.post(BALANCES, { days, granted_on: '2026-04-01' });
      assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/days'], String(days));
    }
  });

  test('keep what was taken of them: 409 in_use', async () => {
    const office = await newLeaveOffice(app);
    const { owner, member } = office;
    const id = await grantDays(office, member.member_id, 3);
    const request = await askFor(member, { start_date: '2026-12-02', end_date: '2026-12-03' });
    const refusals = [
      await owner.delete(`${BALANCES}/${id}`),
      await owner.patch(`${BALANCES}/${id}`, { days: 1.5 }),
      await owner.patch(`${BALANCES}/${id}`, { expires_on: '2026-12-02' }),
      await owner.patch(`${BALANCES}/${id}`, { granted_on: '2026-12-03' }),
    ];
    for (const { status, body } of refusals) {
      assert.deepEqual(
        [status, body.code, body.used_by],
        [409, 'in_use', [{ kind: 'leave_request', count: 1 }]],
      );
    }
    assert.equal((await owner.patch(`${BALANCES}/${id}`, { days: 2 })).body.leave_grant.remaining_days, 0);
    await member.post(`${REQUESTS}/${request.id}/cancel`);
    assert.equal((await owner.delete(`${BALANCES}/${id}`)).status, 200);
    assert.equal((await owner.get(`${BALANCES}/${id}`)).status, 404);
  });

  test('are for owners and admins; what one does not see is not found', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member, stranger, admin } = office;
    const id = await grantDays(office, member.member_id, 3);
    const body = { days: 1, granted_on: '2026-04-01' };
    for (const client of [manager, member]) {
      assert.equal((await client.post(BALANCES, body)).body.code, 'role_required');
      assert.equal((await client.patch(`${BALANCES}/${id}`, { days: 4 })).body.code, 'role_required');
      assert.equal((await client.delete(`${BALANCES}/${id}`)).body.code, 'role_required');
      assert.equal((await client.post(`${BALANCES}/grant-statutory`, {})).body.code, 'role_required');
    }
    assert.equal((await stranger.get(`${BALANCES}/${id}`)).status, 404);
    assert.equal((await admin.post(BALANCES, body)).status, 201);
  });
});

describe('grants by law', () => {
  const STATUTORY = `${BALANCES}/grant-statutory`;

  test('are made once, and shown before by dry_run', async () => {
    const office = await newLeaveOffice(app);
    const { owner, member } = office;
    await changeMember(owner, member.member_id, { hired_on: '2024-04-01' });
    const body = { member_id: member.member_id, from: '2024-04-01' };
    const shown = (await owner.post(STATUTORY, { ...body, dry_run: true })).body.grants;
    const brief = (grants: typeof shown) =>
      grants.map((one: Record<string, unknown>) => [
        one['granted_on'],
        one['days'],
        one['expires_on'],
        one['lapsed_days'],
      ]);
    const three = [
      ['2024-10-01', 10, '2026-09-30', 10],
      ['2025-10-01', 11, '2027-09-30', 0],
      ['2026-10-01', 12, '2028-09-30', 0],
    ];
    assert.deepEqual([brief(shown), shown[0].id], [three, null]);
    const made = (await owner.post(STATUTORY, body)).body.grants;
    assert.deepEqual(brief(made), three);
    assert.deepEqual(made[1].basis, {
      grant_index: 1,
      service_months: 18,
      table: 'full',
      attendance_rate_percent: null,
      rate_source: 'none',
    });
    assert.deepEqual((await owner.post(STATUTORY, body)).body.grants, []);
    const { leave_balance } = (await member.get(`${BALANCES}/me`)).body;
    assert.deepEqual([leave_balance.total_remaining_days, leave_balance.grants.length], [23, 3]);
  });

  test('begin with the day on which a member was made, unless said', async () => {
    const { owner, member } = await newLeaveOffice(app);
    await changeMember(owner, member.member_id, { hired_on: '2024-04-01' });
    assert.deepEqual((await owner.post(STATUTORY, {})).body.grants, []);
  });

  test('have no days below 80 percent, and service runs on', async () => {
    const { owner, member } = await newLeaveOffice(app);
    await changeMember(owner, member.member_id, { hired_on: '2026-05-01' });
    const body = { member_id: member.member_id, from: '2026-01-01', attendance_rate_percent: 79.9 };
    const [none] = (await owner.post(STATUTORY, body)).body.grants;
    assert.deepEqual(
      [none.days, none.expires_on, none.basis.attendance_rate_percent, none.basis.rate_source],
      [0, null, 79.9, 'given'],
    );
    const coming = { ...body, as_of: '2027-11-01', attendance_rate_percent: 80, dry_run: true };
    const [next] = (await owner.post(STATUTORY, coming)).body.grants;
    assert.deepEqual([next.granted_on, next.days], ['2027-11-01', 11]);
    const real = await owner.post(STATUTORY, { ...coming, dry_run: false });
    assert.deepEqual([real.status, real.body.errors[0].path], [422, '/as_of']);
  });

  test('are made once by calls at the same time', async () => {
    const { owner, member, stranger } = await newLeaveOffice(app);
    for (const { member_id } of [member, stranger])
      await changeMember(owner, member_id, { hired_on: '2025-04-01' });
    const body = { from: '2025-04-01' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => owner.post(STATUTORY, body)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 6 }, () => 200),
    );
    assert.equal(answers.flatMap(({ body: { grants } }) => grants).length, 4);
  });
});

describe('at the same time', () => {
  test('two requests for the last day: one 201, one 409', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    await grantDays(office, member.member_id, 1);
    const days = ['2026-12-02', '2026-12-03', '2026-12-04', '2026-12-07', '2026-12-08'];
    const answers = await Promise.all(
      days.map((start_date) => member.post(REQUESTS, { type: 'paid_annual', start_date })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  test('two decisions: one 200, one 409', async () => {
    const { manager, admin, member } = await newLeaveOffice(app);
    const { id } = await askFor(member, { type: 'sick', start_date: '2026-12-02' });
    const answers = await Promise.all([
      manager.post(`${REQUESTS}/${id}/approve`),
      admin.post(`${REQUESTS}/${id}/reject`, { comment: '×' }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('a request and a smaller grant: no day is taken that is not there', async () => {
    const office = await newLeaveOffice(app);
    const { owner, member } = office;
    const id = await grantDays(office, member.member_id, 1);
    const [asked, changed] = await Promise.all([
      member.post(REQUESTS, { type: 'paid_annual', start_date: '2026-12-02' }),
      owner.patch(`${BALANCES}/${id}`, { days: 0.5 }),
    ]);
    assert.deepEqual([asked.status, changed.status].sort(), asked.status === 201 ? [201, 409] : [200, 409]);
  });
});
