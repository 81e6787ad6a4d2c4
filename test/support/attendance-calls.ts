import assert from 'node:assert/strict';
import type { Client } from './client.ts';

type Call = { path: string; body?: unknown };

async function person(client: Client): Promise<string> {
  const { status, body, text } = await client.post('/attendance/members', { name: '佐藤 一郎' });
  assert.equal(status, 201, text);
  return body.member.id;
}

/** A request for a day of sick leave, by its path. */
async function sickDay(client: Client): Promise<{ id: string; path: string }> {
  const body = { type: 'sick', start_date: '2026-12-01', member_id: await person(client) };
  const made = await client.post('/attendance/leave-requests', body);
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.leave_request;
  return { id, path: `/attendance/leave-requests/${id}` };
}

/** A month that somebody has submitted, by its path. */
async function closedMonth(client: Client): Promise<{ id: string; path: string }> {
  const body = { month: '2026-10', accept_absences: true, member_id: await person(client) };
  const made = await client.post('/attendance/submissions', body);
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.submission;
  return { id, path: `/attendance/submissions/${id}` };
}

/** A correction that empties a day, by its path. */
async function correction(client: Client): Promise<{ id: string; path: string }> {
  const body = { work_date: '2026-11-02', sessions: [], reason: '打刻忘れ', member_id: await person(client) };
  const made = await client.post('/attendance/corrections', body);
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.correction;
  return { id, path: `/attendance/corrections/${id}` };
}

/** What an overtime request is made from. */
const EVENING = {
  work_date: '2026-12-01',
  kind: 'after',
  planned_start_at: '2026-12-01T18:00:00+09:00',
  planned_end_at: '2026-12-01T20:00:00+09:00',
  reason: '月次決算のため',
};

/** An overtime request of an evening, by its path. */
async function evening(client: Client): Promise<{ id: string; path: string }> {
  const body = { ...EVENING, member_id: await person(client) };
  const made = await client.post('/attendance/overtime-requests', body);
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.overtime_request;
  return { id, path: `/attendance/overtime-requests/${id}` };
}

/** A call that succeeds, for every POST of attendance. */
export const attendanceCalls: Record<string, (client: Client) => Promise<Call>> = {
  'attendance.members.create': async () => ({ path: '/attendance/members', body: { name: '佐藤 一郎' } }),
  'attendance.members.invite_slack': async (client) => {
    const connected = await client.patch('/attendance/settings', { slack: { bot_token: 'xoxb-1' } });
    assert.equal(connected.status, 200, connected.text);
    return {
      path: '/attendance/members/invite-slack',
      body: { emails: ['taro@example.com'], role: 'member' },
    };
  },
  'attendance.departments.create': async () => ({
    path: '/attendance/org/departments',
    body: { name: '営業部' },
  }),
  'attendance.departments.batch': async () => ({
    path: '/attendance/org/departments/batch',
    body: { items: [{ name: '営業部', code: 'S' }] },
  }),
  'attendance.positions.create': async () => ({ path: '/attendance/org/positions', body: { name: '課長' } }),
  'attendance.positions.batch': async () => ({
    path: '/attendance/org/positions/batch',
    body: { items: [{ name: '課長', code: 'M' }] },
  }),
  'attendance.schedules.create': async () => ({
    path: '/attendance/schedules',
    body: { name: '早番', start: '07:00', end: '15:00' },
  }),
  'attendance.holidays.create': async () => ({
    path: '/attendance/settings/holidays',
    body: { date: '2026-12-30', name: '年末休業' },
  }),
  'attendance.terms.create': async (client) => ({
    path: `/attendance/members/${await person(client)}/terms`,
    body: { effective_from: '2026-04-01' },
  }),
  'attendance.punches.create': async () => ({
    path: '/attendance/punches',
    body: { type: 'clock_in' },
  }),
  'attendance.punches.batch': async () => ({
    path: '/attendance/punches/batch',
    body: { punches: [{ type: 'clock_in' }] },
  }),
  'attendance.corrections.create': async (client) => ({
    path: '/attendance/corrections',
    body: { work_date: '2026-11-02', sessions: [], reason: '打刻忘れ', member_id: await person(client) },
  }),
  'attendance.corrections.approve': async (client) => ({
    path: `${(await correction(client)).path}/approve`,
  }),
  'attendance.corrections.reject': async (client) => ({
    path: `${(await correction(client)).path}/reject`,
    body: { comment: '記録のとおりです' },
  }),
  'attendance.corrections.cancel': async (client) => ({ path: `${(await correction(client)).path}/cancel` }),
  'attendance.corrections.batch': async (client) => ({
    path: '/attendance/corrections/batch',
    body: { action: 'approve', ids: [(await correction(client)).id] },
  }),
  'attendance.preview.create': async () => ({
    path: '/attendance/preview',
    body: { days: [{ date: '2026-04-01' }] },
  }),
  'attendance.overtime_requests.create': async (client) => ({
    path: '/attendance/overtime-requests',
    body: { ...EVENING, member_id: await person(client) },
  }),
  'attendance.overtime_requests.approve': async (client) => ({
    path: `${(await evening(client)).path}/approve`,
  }),
  'attendance.overtime_requests.reject': async (client) => ({
    path: `${(await evening(client)).path}/reject`,
    body: { comment: '上限に近いため' },
  }),
  'attendance.overtime_requests.cancel': async (client) => ({
    path: `${(await evening(client)).path}/cancel`,
  }),
  'attendance.overtime_requests.batch': async (client) => ({
    path: '/attendance/overtime-requests/batch',
    body: { action: 'approve', ids: [(await evening(client)).id] },
  }),
  'attendance.leave_requests.create': async (client) => ({
    path: '/attendance/leave-requests',
    body: { type: 'sick', start_date: '2026-12-01', member_id: await person(client) },
  }),
  'attendance.leave_requests.approve': async (client) => ({
    path: `${(await sickDay(client)).path}/approve`,
  }),
  'attendance.leave_requests.reject': async (client) => ({
    path: `${(await sickDay(client)).path}/reject`,
    body: { comment: '繁忙期のため' },
  }),
  'attendance.leave_requests.cancel': async (client) => ({ path: `${(await sickDay(client)).path}/cancel` }),
  'attendance.leave_requests.batch': async (client) => ({
    path: '/attendance/leave-requests/batch',
    body: { action: 'approve', ids: [(await sickDay(client)).id] },
  }),
  'attendance.leave_balances.create': async (client) => ({
    path: '/attendance/leave-balances',
    body: { member_id: await person(client), type: 'paid_annual', days: 1, granted_on: '2026-04-01' },
  }),
  'attendance.leave_balances.grant_statutory': async () => ({
    path: '/attendance/leave-balances/grant-statutory',
    body: { dry_run: true },
  }),
  'attendance.submissions.create': async (client) => ({
    path: '/attendance/submissions',
    body: { month: '2026-10', accept_absences: true, member_id: await person(client) },
  }),
  'attendance.submissions.confirm': async (client) => ({
    path: `${(await closedMonth(client)).path}/confirm`,
  }),
  'attendance.submissions.return': async (client) => ({
    path: `${(await closedMonth(client)).path}/return`,
    body: { comment: '10日の退勤' },
  }),
  'attendance.submissions.reopen': async (client) => {
    const { path } = await closedMonth(client);
    await client.post(`${path}/confirm`);
    return { path: `${path}/reopen`, body: { comment: '10日の退勤' } };
  },
  'attendance.submissions.confirm_many': async (client) => ({
    path: '/attendance/submissions/confirm-many',
    body: { ids: [(await closedMonth(client)).id] },
  }),
};
