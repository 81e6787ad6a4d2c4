import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newWorkplace, session, type Workplace } from '../../support/attendance.ts';
import { toldBy } from '../../support/facts.ts';
import { lettersAbout } from '../../support/letters.ts';

/** A Tuesday, 21:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-24T12:00:00.000Z') });

const CORRECTIONS = '/attendance/corrections';
const DAY = '2026-11-20';
const worked = session(DAY, '00:00', '09:00', [['03:00', '04:00']]);
const asked = { work_date: DAY, sessions: [worked], reason: '打刻忘れ' };

/** An organization with two owners, a manager with a team, one of that team, and somebody outside of it. */
async function office() {
  const owner = await newWorkplace(app);
  const manager = await owner.colleague('manager');
  const member = await owner.colleague();
  const stranger = await owner.colleague();
  await owner.colleague('owner');
  const { id } = await owner.department({ manager_member_id: manager.member_id });
  await owner.done('PATCH', `/members/${member.member_id}`, { department_id: id });
  return { owner, manager, member, stranger };
}

async function file(by: Workplace, body: object = {}) {
  return (await by.done('POST', '/corrections', { ...asked, ...body })).correction;
}

const recordOf = async (by: Workplace, { member_id }: Workplace, date = DAY) =>
  (await by.done('GET', `/records/${member_id}/${date}`)).record;

const codeOf = async (call: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await call;
  return [status, body.code];
};

describe('POST /corrections', () => {
  test('201 keeps the day as it was and as it should be; nothing changes yet', async () => {
    const { member, manager, owner } = await office();
    const old = session(DAY, '00:00', '08:00');
    await manager.done('PUT', `/records/${member.member_id}/${DAY}`, { sessions: [old] });
    const correction = await file(member, { external_id: 'K-1', metadata: { erp: '1' } });
    assert.deepEqual(
      [correction.before, correction.sessions, correction.base_version, correction.status],
      [{ sessions: [old] }, [worked], 1, 'pending'],
    );
    assert.deepEqual([correction.created_by, correction.available_actions], [member.user_id, ['cancel']]);
    assert.deepEqual((await recordOf(owner, member)).sessions, [old]);
    assert.deepEqual((await member.get(`${CORRECTIONS}/${correction.id}`)).body.correction, correction);
    const found = await manager.done('GET', '/corrections?external_id=K-1&status=pending,rejected');
    assert.deepEqual(
      found.items.map(({ id, available_actions }: { id: string; available_actions: string[] }) => [
        id,
        available_actions,
      ]),
      [[correction.id, ['approve', 'reject']]],
    );
  });

  test('for the team by its manager; 403 for others by a member, 422 for whom one does not see', async () => {
    const { member, manager, stranger } = await office();
    const filed = await file(manager, { member_id: member.member_id });
    assert.deepEqual([filed.member_id, filed.created_by], [member.member_id, manager.user_id]);
    const of = ({ member_id }: Workplace) => ({ ...asked, member_id });
    assert.deepEqual(await codeOf(member.post(CORRECTIONS, of(stranger))), [403, 'role_required']);
    const unseen = await manager.post(CORRECTIONS, of(stranger));
    assert.deepEqual(
      [unseen.status, unseen.body.code, unseen.body.errors[0].path],
      [422, 'unknown_reference', '/member_id'],
    );
    assert.equal((await stranger.get(`${CORRECTIONS}/${filed.id}`)).status, 404);
    assert.equal((await stranger.post(`${CORRECTIONS}/${filed.id}/cancel`)).status, 404);
    assert.deepEqual((await stranger.done('GET', '/corrections')).items, []);
  });

  test('422 for sessions as PUT /records refuses them, and without a reason', async () => {
    const owner = await newWorkplace(app);
    const faultOf = async (body: object) => {
      const { status, body: answer } = await owner.post(CORRECTIONS, { ...asked, ...body });
      return [status, answer.errors?.[0]?.path, answer.errors?.[0]?.code];
    };
    const backwards = [session(DAY, '09:00', '08:00')];
    assert.deepEqual(await faultOf({ sessions: backwards }), [
      422,
      '/sessions/0/clock_out_at',
      'before_start',
    ]);
    const twice = [worked, session(DAY, '08:00', '10:00')];
    assert.deepEqual(await faultOf({ sessions: twice }), [422, '/sessions/1/clock_in_at', 'overlap']);
    assert.deepEqual(await faultOf({ reason: ' ' }), [422, '/reason', 'required']);
    assert.deepEqual(await faultOf({ reason: undefined }), [422, '/reason', 'required']);
  });

  test('409 for a session of another day at the same time, and outside of the employment', async () => {
    const { owner, member } = await office();
    const late = session('2026-11-19', '15:00', '23:30');
    await owner.done('PUT', `/records/${member.member_id}/2026-11-19`, { sessions: [late] });
    const early = session(DAY, '00:00', '01:00');
    const sessions = [{ ...early, clock_in_at: '2026-11-19T23:00:00.000Z' }];
    const refused = await member.post(CORRECTIONS, { ...asked, sessions });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.work_date],
      [409, 'overlapping_session', '2026-11-19'],
    );
    await owner.done('PATCH', `/members/${member.member_id}`, { hired_on: '2026-11-21' });
    assert.deepEqual(await codeOf(member.post(CORRECTIONS, asked)), [409, 'not_employed']);
  });
});

describe('approve', () => {
  test('replaces the sessions with a revision, tells the member and the audit log', async () => {
    const { member, manager } = await office();
    const { id } = await file(member);
    const { audit, events } = await toldBy(app, member.organization_id, () =>
      manager.post(`${CORRECTIONS}/${id}/approve`, { comment: '確認しました' }),
    );
    assert.deepEqual(events, []);
    assert.deepEqual(audit.map(({ entity_type, action }) => [entity_type, action]).toSorted(), [
      ['correction', 'update'],
      ['record', 'create'],
    ]);
    const record = await recordOf(manager, member);
    assert.deepEqual([record.sessions, record.worked_minutes], [[worked], 480]);
    const [{ source, correction_id, reason, actor }] = record.revisions;
    assert.deepEqual([source, correction_id, reason], ['correction', id, '打刻忘れ']);
    assert.equal(actor.type, 'api_key');
    const { correction } = await member.done('GET', `/corrections/${id}`);
    assert.deepEqual(
      [correction.status, correction.approver_id, correction.decision_comment, correction.available_actions],
      ['approved', manager.user_id, '確認しました', []],
    );
    const [letter] = await lettersAbout(app, 'attendance.correction_decision', id);
    assert.equal(letter!.subject, '勤怠の修正申請が承認されました');
    assert.match(letter!.paragraphs.join('\n'), /2026-11-20[\s\S]*確認しました/);
  });

  test('409 stale_day after the day was changed; it may be rejected still', async () => {
    const { member, manager } = await office();
    const { id } = await file(member);
    await manager.done('PUT', `/records/${member.member_id}/${DAY}`, {
      sessions: [session(DAY, '00:00', '08:00')],
    });
    const refused = await manager.post(`${CORRECTIONS}/${id}/approve`);
    assert.deepEqual([refused.status, refused.body.code, refused.body.version], [409, 'stale_day', 1]);
    assert.equal((await member.done('GET', `/corrections/${id}`)).correction.status, 'pending');
    await manager.done('POST', `/corrections/${id}/reject`, { comment: '記録が変わりました' });
  });

  test('409 overlapping_session with what another day has got since', async () => {
    const { member, manager } = await office();
    const { id } = await file(member);
    await manager.done('PUT', `/records/${member.member_id}/2026-11-19`, {
      sessions: [session('2026-11-19', '15:00', '24:00')].map((one) => ({
        ...one,
        clock_out_at: '2026-11-20T00:30:00.000Z',
      })),
    });
    const refused = await manager.post(`${CORRECTIONS}/${id}/approve`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'overlapping_session']);
    assert.equal((await recordOf(manager, member)).version, 0);
  });

  test('takes If-Match of the correction itself', async () => {
    const { member, manager } = await office();
    const { id } = await file(member);
    const etag = (await manager.get(`${CORRECTIONS}/${id}`)).headers.get('etag')!;
    await member.send('PATCH', `${CORRECTIONS}/${id}`, { external_id: 'K-2' });
    const approve = (match: string) =>
      manager.send('POST', `${CORRECTIONS}/${id}/approve`, undefined, { 'If-Match': match });
    assert.equal((await approve(etag)).status, 412);
    const fresh = (await manager.get(`${CORRECTIONS}/${id}`)).headers.get('etag')!;
    assert.equal((await approve(fresh)).status, 200);
  });

  test('two decisions at once: one 200, one 409', async () => {
    const { owner, member, manager } = await office();
    for (const _ of [1, 2, 3]) {
      const { id } = await file(member, { sessions: [] });
      const answers = await Promise.all([
        manager.post(`${CORRECTIONS}/${id}/approve`),
        owner.post(`${CORRECTIONS}/${id}/reject`, { comment: '×' }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      assert.equal(refused.body.code, 'invalid_transition');
    }
  });

  test('403 and 409 for who may not decide', async () => {
    const { member, manager, owner } = await office();
    const own = await file(manager);
    assert.deepEqual(await codeOf(manager.post(`${CORRECTIONS}/${own.id}/approve`)), [409, 'self_approval']);
    const { id } = await file(member);
    assert.deepEqual(await codeOf(member.post(`${CORRECTIONS}/${id}/approve`)), [403, 'insufficient_scope']);
    assert.deepEqual(await codeOf(owner.post(`${CORRECTIONS}/${id}/reject`, { comment: '' })), [
      422,
      'validation_failed',
    ]);
    assert.deepEqual(await codeOf(owner.post(`${CORRECTIONS}/${id}/cancel`)), [409, 'invalid_transition']);
    await member.done('POST', `/corrections/${id}/cancel`);
    assert.deepEqual(await codeOf(owner.post(`${CORRECTIONS}/${id}/approve`)), [409, 'invalid_transition']);
  });
});

describe('GET /corrections', () => {
  test('by dates, member and department; 422 for days backwards and over 366 of them', async () => {
    const { owner, member, manager, stranger } = await office();
    const first = await file(member, { work_date: '2026-11-18', sessions: [] });
    const second = await file(member, { work_date: '2026-11-19', sessions: [] });
    const other = await file(stranger, { sessions: [] });
    const idsOf = async (by: Workplace, query: string) =>
      (await by.done('GET', `/corrections?${query}`)).items.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsOf(owner, 'sort=work_date:desc'), [other.id, second.id, first.id]);
    assert.deepEqual(await idsOf(owner, 'from=2026-11-19&to=2026-11-19'), [second.id]);
    assert.deepEqual(await idsOf(owner, `member_id=${stranger.member_id}`), [other.id]);
    assert.deepEqual(await idsOf(manager, ''), [second.id, first.id]);
    for (const query of ['from=2026-11-02&to=2026-11-01', 'from=2025-01-01&to=2026-01-02']) {
      assert.equal((await owner.get(`${CORRECTIONS}?${query}`)).status, 422, query);
    }
  });
});
