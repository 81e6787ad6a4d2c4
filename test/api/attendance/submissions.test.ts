import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import {
  confirmedMonth,
  newClosingOffice,
  outcome,
  putDay,
  SUBMISSIONS,
  sessionOn,
  step,
  submitted,
} from '../../support/closing.ts';
import { lettersAbout } from '../../support/letters.ts';

/** A Tuesday, 10:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-24T01:00:00.000Z') });

const OCTOBER = { month: '2026-10', accept_absences: true };

describe('a month', () => {
  test('is submitted, returned, submitted again with the same ID, and confirmed', async () => {
    const { owner, member } = await newClosingOffice(app);
    await putDay(owner, member, '2026-10-05');
    const made = await member.post(SUBMISSIONS, { ...OCTOBER, comment: '確認済み', external_id: 'K-10' });
    assert.equal(made.status, 201, made.text);
    const { submission } = made.body;
    const { status, revision, period_start, period_end, comment, external_id } = submission;
    assert.deepEqual(
      [status, revision, period_start, period_end],
      ['submitted', 0, '2026-10-01', '2026-10-31'],
    );
    assert.deepEqual([comment, external_id, submission.submitted_by], ['確認済み', 'K-10', member.user_id]);
    assert.deepEqual([submission.totals.worked_minutes, submission.totals.attended_days], [540, 1]);
    assert.deepEqual(submission.available_actions, []);
    const returned = await step(owner, submission.id, 'return', { comment: '5日を確認してください' });
    assert.deepEqual([returned.status, returned.comment], ['returned', '5日を確認してください']);
    await putDay(owner, member, '2026-10-05', [sessionOn('2026-10-05', 0, 8)]);
    const again = await member.post(SUBMISSIONS, OCTOBER);
    assert.deepEqual([again.status, again.body.submission?.id], [200, submission.id], again.text);
    assert.deepEqual(
      [again.body.submission.totals.worked_minutes, again.body.submission.external_id],
      [480, 'K-10'],
    );
    const confirmed = await step(owner, submission.id, 'confirm');
    assert.deepEqual(
      [confirmed.status, confirmed.revision, confirmed.confirmed_by],
      ['confirmed', 1, owner.user_id],
    );
    assert.deepEqual(confirmed.available_actions, ['reopen']);
    const read = await owner.get(`${SUBMISSIONS}/${submission.id}`);
    assert.deepEqual(read.body.submission, confirmed);
  });

  test('is reopened, corrected and confirmed anew: the second revision stands beside the first', async () => {
    const office = await newClosingOffice(app);
    const { owner, member } = office;
    await putDay(owner, member, '2026-10-05');
    const { id } = await confirmedMonth(office, '2026-10');
    const reopened = await step(owner, id, 'reopen', { comment: '退勤の訂正' });
    assert.deepEqual([reopened.status, reopened.revision], ['reopened', 1]);
    await putDay(owner, member, '2026-10-05', [sessionOn('2026-10-05', 0, 8)]);
    assert.equal((await confirmedMonth(office, '2026-10')).revision, 2);
    const kept = await app.database.withConnection(owner.organization_id, ({ query }) =>
      query<{ revision: number; worked: number; days: number }>(
        `SELECT revision, (totals ->> 'worked_minutes')::integer AS worked,
                (SELECT count(*)::integer FROM attendance_frozen_days AS day
                  WHERE day.organization_id = $1 AND day.submission_id = $2 AND day.revision = kept.revision) AS days
           FROM attendance_period_revisions AS kept
          WHERE organization_id = $1 AND submission_id = $2 AND confirmed_at IS NOT NULL ORDER BY revision`,
        [owner.organization_id, id],
      ),
    );
    assert.deepEqual(kept, [
      { revision: 1, worked: 540, days: 31 },
      { revision: 2, worked: 480, days: 31 },
    ]);
  });

  test('is told of to the member by mail at each decision, none that was overtaken', async () => {
    const { owner, member } = await newClosingOffice(app);
    const { id } = await submitted(member, '2026-10');
    await step(owner, id, 'return', { comment: '10日の退勤' });
    const [letter] = await lettersAbout(app, 'attendance.submission_decision', id);
    assert.match(letter!.subject, /2026-10/);
    assert.ok(letter!.paragraphs.some((line) => line.includes('10日の退勤')));
    await submitted(member, '2026-10');
    await step(owner, id, 'confirm');
    const subjects = async () =>
      (await lettersAbout(app, 'attendance.submission_decision', id)).map(({ subject }) => subject);
    assert.deepEqual(await subjects(), ['2026-10 の勤怠が確定されました']);
    await step(owner, id, 'reopen', { comment: '10日の退勤' });
    assert.deepEqual(await subjects(), ['2026-10 の勤怠の確定が取り消されました']);
  });

  test('is found by month, status and whose it is', async () => {
    const { owner, member } = await newClosingOffice(app);
    const other = await owner.colleague('member');
    const { id } = await submitted(member, '2026-10');
    await submitted(other, '2026-10');
    const ids = async (by: typeof owner, query: string) =>
      (await by.get(`${SUBMISSIONS}?${query}`)).body.items.map((one: { id: string }) => one.id);
    assert.deepEqual(await ids(owner, `month=2026-10&member_id=${member.member_id}`), [id]);
    assert.equal((await ids(owner, 'status=submitted,returned')).length, 2);
    assert.deepEqual(await ids(owner, 'status=confirmed'), []);
    assert.deepEqual(await ids(member, ''), [id]);
    assert.equal((await member.get(`${SUBMISSIONS}?month=2026-13`)).status, 422);
  });

  test('keeps the own IDs of a client until it is confirmed', async () => {
    const { owner, member } = await newClosingOffice(app);
    const { id } = await submitted(member, '2026-10');
    const patch = { external_id: 'K-1', metadata: { batch: '7' } };
    const changed = await owner.patch(`${SUBMISSIONS}/${id}`, patch);
    assert.deepEqual(
      [changed.body.submission.external_id, changed.body.submission.metadata],
      ['K-1', { batch: '7' }],
    );
    await step(owner, id, 'confirm');
    assert.deepEqual(outcome(await owner.patch(`${SUBMISSIONS}/${id}`, patch)), [409, 'frozen']);
  });
});

describe('what keeps a month open', () => {
  test('period_open before its last day, or that of the member', async () => {
    const { owner, member } = await newClosingOffice(app);
    const running = await member.post(SUBMISSIONS, { month: '2026-11' });
    assert.deepEqual([...outcome(running), running.body.period_end], [409, 'period_open', '2026-11-30']);
    await owner.done('PATCH', `/members/${member.member_id}`, { left_on: '2026-11-24' });
    assert.equal((await submitted(member, '2026-11')).status, 'submitted');
  });

  test('submission_blocked names sessions, requests and absences by day', async () => {
    const { owner, member } = await newClosingOffice(app);
    await owner.done('PATCH', '/settings', { closing_day: 24, effective_from: '2026-09-01' });
    const asked = { type: 'sick', start_date: '2026-11-09' };
    const { leave_request } = await member.done('POST', '/leave-requests', asked);
    await member.done('POST', '/punches', { type: 'clock_in' });
    const open = await putDay(owner, member, '2026-10-26', [
      sessionOn('2026-10-26'),
      sessionOn('2026-10-26', 10, 12),
    ]);
    assert.equal(open.status, 200, open.text);
    const refused = await member.post(SUBMISSIONS, { month: '2026-11', accept_absences: true });
    assert.deepEqual(outcome(refused), [409, 'submission_blocked']);
    const { record } = await member.done('GET', `/records/${member.member_id}/2026-11-24`);
    assert.deepEqual(refused.body.blocking, [
      { code: 'pending_request', work_date: '2026-11-09', id: leave_request.id },
      { code: 'session_open', work_date: '2026-11-24', id: record.id },
    ]);
    const strict = await member.post(SUBMISSIONS, { month: '2026-11' });
    const absent = strict.body.blocking.filter(({ code }: { code: string }) => code === 'no_record');
    assert.deepEqual([absent[0].work_date, absent[0].id], ['2026-10-27', null]);
    // Of the month's 22 workdays two have presence, and two are national holidays; none is absent on the day of the call.
    assert.equal(
      absent.some(({ work_date }: { work_date: string }) => work_date === '2026-10-26'),
      false,
    );
  });

  test('earlier_period_open while an earlier month has records and is not confirmed', async () => {
    const { owner, member } = await newClosingOffice(app);
    await putDay(owner, member, '2026-09-07');
    const refused = await member.post(SUBMISSIONS, OCTOBER);
    assert.deepEqual([...outcome(refused), refused.body.month], [409, 'earlier_period_open', '2026-09']);
    const september = await submitted(member, '2026-09');
    assert.deepEqual(outcome(await member.post(SUBMISSIONS, OCTOBER)), [409, 'earlier_period_open']);
    await step(owner, september.id, 'confirm');
    await submitted(member, '2026-10');
    const reopened = await owner.post(`${SUBMISSIONS}/${september.id}/reopen`, { comment: '訂正' });
    assert.deepEqual(outcome(reopened), [409, 'later_period_closed']);
  });
});

describe('who closes', () => {
  test('members submit their own, managers return, owners and admins confirm, nobody their own', async () => {
    const { owner, member } = await newClosingOffice(app);
    const [admin, manager, other] = [
      await owner.colleague('admin'),
      await owner.colleague('manager'),
      await owner.colleague('member'),
    ];
    const department = await owner.department({ manager_member_id: manager.member_id });
    for (const one of [member, manager]) {
      await owner.done('PATCH', `/members/${one.member_id}`, { department_id: department.id });
    }
    const foreign = await other.post(SUBMISSIONS, { ...OCTOBER, member_id: member.member_id });
    assert.deepEqual(outcome(foreign), [403, 'role_required']);
    const { id } = await submitted(manager, '2026-10', { member_id: member.member_id });
    const path = `${SUBMISSIONS}/${id}`;
    assert.deepEqual(outcome(await other.get(path)), [404, 'not_found']);
    assert.deepEqual(outcome(await member.post(`${path}/confirm`)), [403, 'insufficient_scope']);
    assert.deepEqual(outcome(await manager.post(`${path}/confirm`)), [403, 'role_required']);
    await owner.done('PATCH', '/settings', { manager_can_confirm: true });
    assert.equal((await step(manager, id, 'confirm')).confirmed_by, manager.user_id);
    assert.deepEqual(outcome(await manager.post(`${path}/reopen`, { comment: '訂正' })), [
      403,
      'role_required',
    ]);
    const own = await submitted(admin, '2026-10');
    assert.deepEqual(outcome(await admin.post(`${SUBMISSIONS}/${own.id}/confirm`)), [409, 'self_approval']);
    assert.deepEqual(outcome(await owner.post(`${path}/return`, { comment: '訂正' })), [
      409,
      'invalid_transition',
    ]);
    assert.deepEqual(outcome(await owner.post(`${path}/reopen`, {})), [422, 'validation_failed']);
  });

  test('two decisions at once: one is taken', async () => {
    const { owner, member } = await newClosingOffice(app);
    const admin = await owner.colleague('admin');
    const { id } = await submitted(member, '2026-10');
    const path = `${SUBMISSIONS}/${id}`;
    const answers = await Promise.all([
      owner.post(`${path}/confirm`),
      admin.post(`${path}/return`, { comment: '訂正' }),
      admin.post(`${path}/confirm`),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  });

  test('many at once, each as if alone', async () => {
    const { owner, member } = await newClosingOffice(app);
    const others = [await owner.colleague(), await owner.colleague()];
    const { id } = await submitted(member, '2026-10');
    const returned = await submitted(others[0]!, '2026-10');
    await step(owner, returned.id, 'return', { comment: '訂正' });
    const own = await submitted(owner, '2026-10');
    const second = await submitted(others[1]!, '2026-10');
    await owner.colleague('owner');
    const unknown = `${id.slice(0, -4)}0000`;
    const { items } = await owner.done('POST', '/submissions/confirm-many', {
      ids: [id, returned.id, unknown, own.id, second.id, id],
    });
    assert.deepEqual(items, [
      { id, status: 200, code: null },
      { id: returned.id, status: 409, code: 'invalid_transition' },
      { id: unknown, status: 404, code: 'not_found' },
      { id: own.id, status: 409, code: 'self_approval' },
      { id: second.id, status: 200, code: null },
      { id, status: 409, code: 'invalid_transition' },
    ]);
    const letters = await lettersAbout(app, 'attendance.submission_decision', second.id);
    assert.equal(letters.length, 1);
    const again = await owner.done('POST', '/submissions/confirm-many', { ids: [id] });
    assert.deepEqual(again.items, [{ id, status: 409, code: 'invalid_transition' }]);
  });
});
