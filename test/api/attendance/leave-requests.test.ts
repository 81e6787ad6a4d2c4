import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { askFor, changeMember, grantDays, newLeaveOffice, REQUESTS, setPlain } from '../../support/leave.ts';
import { lettersAbout } from '../../support/letters.ts';

/** A Tuesday, 10:00 in Japan. */
const now = () => new Date('2026-11-24T01:00:00.000Z');
const app = await startApp({ now });

/** Wednesday to Friday of the next week, and the Saturday behind. */
const [WED, THU, FRI, SAT] = ['2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'];

describe('201', () => {
  test('takes workdays at once from the oldest grant, and says of which', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    const old = await grantDays(office, member.member_id, 1.5, { granted_on: '2025-10-01' });
    const recent = await grantDays(office, member.member_id, 11, { granted_on: '2026-10-01' });
    const request = await askFor(member, { start_date: FRI, end_date: '2026-12-08', reason: '帰省' });
    assert.deepEqual(
      [request.days, request.status, request.consumed, request.created_by, request.member_id],
      [
        3,
        'pending',
        [
          { grant_id: old, days: 1.5, hours: 0 },
          { grant_id: recent, days: 1.5, hours: 0 },
        ],
        member.actor.user_id,
        member.member_id,
      ],
    );
    assert.deepEqual(request.available_actions, ['cancel']);
    const read = await member.get(`${REQUESTS}/${request.id}`);
    assert.deepEqual(read.body.leave_request, request);
  });

  test('for halves at both ends, and for one half', async () => {
    const office = await newLeaveOffice(app);
    await grantDays(office, office.member.member_id, 10);
    const both = { start_date: WED, end_date: FRI, start_unit: 'half_pm', end_unit: 'half_am' };
    assert.equal((await askFor(office.member, both)).days, 2);
    assert.equal((await askFor(office.member, { unit: 'half_am', start_date: WED })).days, 0.5);
    assert.equal((await askFor(office.member, { unit: 'half_pm', start_date: FRI })).days, 0.5);
  });

  test('for kinds without a balance, which take from no grant', async () => {
    const { member } = await newLeaveOffice(app);
    const request = await askFor(member, { type: 'sick', start_date: WED });
    assert.deepEqual([request.days, request.consumed], [1, []]);
  });

  test('by a manager for the team, and by an owner for anybody', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member, owner, stranger } = office;
    const filed = await askFor(manager, { type: 'sick', member_id: member.member_id, start_date: WED });
    assert.equal(filed.created_by, manager.actor.user_id);
    assert.deepEqual(filed.available_actions, ['approve', 'reject', 'cancel']);
    await askFor(owner, { type: 'sick', member_id: stranger.member_id, start_date: WED });
  });

  test('for hours, where they are enabled', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    await setPlain(app, member.actor.organization_id, { leave: { auto_grant: true, hourly_enabled: true } });
    const grant = await grantDays(office, member.member_id, 10);
    const request = await askFor(member, { unit: 'hourly', start_date: WED, start_time: '09:00', hours: 2 });
    assert.deepEqual([request.days, request.consumed], [0, [{ grant_id: grant, days: 0, hours: 2 }]]);
    // What the afternoon takes begins after the break: the two do not meet.
    await askFor(member, { unit: 'half_pm', start_date: WED });
  });
});

describe('409', () => {
  test('insufficient_balance takes nothing', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    await grantDays(office, member.member_id, 2);
    const refused = await member.post(REQUESTS, { type: 'paid_annual', start_date: WED, end_date: FRI });
    assert.deepEqual([refused.status, refused.body.code], [409, 'insufficient_balance']);
    const { type, leave_type } = refused.body;
    assert.deepEqual([type, leave_type], ['/docs/errors#insufficient_balance', 'paid_annual']);
    await askFor(member, { start_date: WED, end_date: THU });
  });

  test('insufficient_balance for an earlier day that would take what a later one has', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    await grantDays(office, member.member_id, 1);
    const later = await askFor(member, { start_date: FRI });
    const refused = await member.post(REQUESTS, { type: 'paid_annual', start_date: WED });
    assert.deepEqual([refused.status, refused.body.displaced], [409, [later.id]]);
    const wider = await newLeaveOffice(app);
    await grantDays(wider, wider.member.member_id, 1, { expires_on: '2027-01-31' });
    await grantDays(wider, wider.member.member_id, 1, { granted_on: '2026-04-02', expires_on: THU });
    const kept = await askFor(wider.member, { start_date: FRI });
    const lost = await wider.member.post(REQUESTS, { type: 'paid_annual', start_date: WED });
    assert.deepEqual([lost.body.code, lost.body.displaced], ['insufficient_balance', [kept.id]]);
    assert.equal((await member.get(`${REQUESTS}/${later.id}`)).body.leave_request.consumed.length, 1);
  });

  test('overlapping_request names the other one', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    const other = await askFor(member, { type: 'sick', start_date: WED, end_date: FRI });
    const refused = await member.post(REQUESTS, { type: 'other', unit: 'half_am', start_date: THU });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.existing_id],
      [409, 'overlapping_request', other.id],
    );
    await member.post(`${REQUESTS}/${other.id}/cancel`);
    await askFor(member, { type: 'other', unit: 'half_am', start_date: THU });
  });

  test('hourly_leave_cap_exceeded beyond five days a year', async () => {
    const office = await newLeaveOffice(app);
    const { member } = office;
    await setPlain(app, member.actor.organization_id, { leave: { auto_grant: true, hourly_enabled: true } });
    await grantDays(office, member.member_id, 20);
    const hours = (start_date: string, count: number) =>
      member.post(REQUESTS, {
        type: 'paid_annual',
        unit: 'hourly',
        start_date,
        start_time: '09:00',
        hours: count,
      });
    for (const day of ['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10', '2026-12-11']) {
      assert.equal((await hours(day, 7)).status, 201);
    }
    const refused = await hours('2026-12-14', 6);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.hourly_cap_left_hours],
      [409, 'hourly_leave_cap_exceeded', 5],
    );
    assert.equal((await hours('2026-12-14', 5)).status, 201);
    // The year ends with the anniversary of the first grant.
    assert.equal((await hours('2027-04-01', 7)).status, 201);
  });

  test('not_employed before the hire and after the last day', async () => {
    const office = await newLeaveOffice(app);
    const { member, owner } = office;
    await changeMember(owner, member.member_id, { hired_on: THU, left_on: SAT });
    const early = await member.post(REQUESTS, { type: 'sick', start_date: WED, end_date: THU });
    const late = await member.post(REQUESTS, { type: 'sick', start_date: FRI, end_date: '2026-12-07' });
    assert.deepEqual(
      [early, late].map(({ status, body }) => [status, body.code]),
      [
        [409, 'not_employed'],
        [409, 'not_employed'],
      ],
    );
  });

  test('self_approval, but of an only owner or where the settings allow it', async () => {
    const office = await newLeaveOffice(app);
    const { admin, owner } = office;
    const own = await askFor(admin, { type: 'sick', start_date: WED });
    assert.deepEqual(own.available_actions, ['cancel']);
    const refused = await admin.post(`${REQUESTS}/${own.id}/approve`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'self_approval']);
    const bosses = await askFor(owner, { type: 'sick', start_date: WED });
    assert.equal((await owner.post(`${REQUESTS}/${bosses.id}/approve`)).status, 200);
    await setPlain(app, admin.actor.organization_id, { allow_self_approval: true });
    assert.equal((await admin.post(`${REQUESTS}/${own.id}/approve`)).status, 200);
  });

  test('invalid_transition for what the table lacks', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member, admin } = office;
    const made = () => askFor(member, { type: 'sick', start_date: WED });
    const rejected = await made();
    await manager.post(`${REQUESTS}/${rejected.id}/reject`, { comment: '別の日に' });
    const again = await manager.post(`${REQUESTS}/${rejected.id}/approve`);
    assert.deepEqual(
      [again.status, again.body.code, again.body.current_status],
      [409, 'invalid_transition', 'rejected'],
    );
    const pending = await made();
    // A pending one is rejected, not cancelled, by who decides.
    assert.equal((await admin.post(`${REQUESTS}/${pending.id}/cancel`)).body.code, 'invalid_transition');
    await manager.post(`${REQUESTS}/${pending.id}/approve`);
    assert.equal((await manager.post(`${REQUESTS}/${pending.id}/cancel`)).status, 200);
  });
});

describe('approved leave', () => {
  test('is cancelled by the member before its first day, later by who decides', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member } = office;
    const coming = await askFor(member, { type: 'sick', start_date: '2026-11-25' });
    const begun = await askFor(member, { type: 'sick', start_date: '2026-11-24' });
    for (const { id } of [coming, begun]) {
      assert.equal((await manager.post(`${REQUESTS}/${id}/approve`)).status, 200);
    }
    assert.equal((await member.post(`${REQUESTS}/${coming.id}/cancel`)).status, 200);
    assert.equal((await member.post(`${REQUESTS}/${begun.id}/cancel`)).body.code, 'invalid_transition');
    assert.equal((await manager.post(`${REQUESTS}/${begun.id}/cancel`)).status, 200);
  });

  test('returns its days when it is rejected or cancelled', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member } = office;
    await grantDays(office, member.member_id, 1);
    for (const end of ['reject', 'cancel']) {
      const { id } = await askFor(member, { start_date: WED });
      const by = end === 'reject' ? manager : member;
      assert.equal(
        (await by.post(`${REQUESTS}/${id}/${end}`, end === 'reject' ? { comment: '×' } : undefined)).status,
        200,
      );
    }
    await askFor(member, { start_date: WED });
  });

  test('is told to the member by mail, and to the audit log; events have none', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member } = office;
    const { organization_id, user_id } = member.actor;
    const { id } = await askFor(member, { type: 'special', start_date: WED, ...(await special(office)) });
    const { audit, events } = await toldBy(app, organization_id, () =>
      manager.post(`${REQUESTS}/${id}/approve`, { comment: 'どうぞ' }),
    );
    assert.deepEqual(events, []);
    assert.deepEqual(
      audit.map(({ entity_type, entity_id, changes }) => [
        entity_type,
        entity_id,
        Object.keys(changes).sort(),
      ]),
      [['leave_request', id, ['approver_id', 'decided_at', 'decision_comment', 'status']]],
    );
    const [letter] = await lettersAbout(app, 'attendance.leave_decision', id);
    assert.deepEqual(letter!.to, [{ name: '試験 太郎', address: `${user_id}@example.com` }]);
    assert.match(letter!.subject, /休暇申請が承認されました/);
    assert.match(letter!.paragraphs.join('\n'), /特別休暇[\s\S]*2026-12-02[\s\S]*どうぞ/);
  });

  test('is told in English to who reads English', async () => {
    const office = await newLeaveOffice(app);
    const { manager, member } = office;
    await app.database.withConnection(member.actor.organization_id, async ({ query }) => {
      await query("UPDATE users SET locale = 'en' WHERE id = $1", [member.actor.user_id]);
    });
    const { id } = await askFor(member, { type: 'sick', start_date: WED, end_date: FRI });
    await manager.post(`${REQUESTS}/${id}/reject`, { comment: 'Stocktaking' });
    const [letter] = await lettersAbout(app, 'attendance.leave_decision', id);
    assert.equal(letter!.subject, 'Your request for leave was rejected');
    assert.match(
      letter!.paragraphs.join('\n'),
      /sick leave[\s\S]*2026-12-02 to 2026-12-04[\s\S]*Stocktaking/,
    );
  });

  async function special(office: Awaited<ReturnType<typeof newLeaveOffice>>): Promise<object> {
    const end = { type: 'special', expires_on: '2027-03-31' };
    await grantDays(office, office.member.member_id, 3, end);
    return {};
  }
});
