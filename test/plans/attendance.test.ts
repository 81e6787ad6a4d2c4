import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { seedDays } from '../support/many-days.ts';
import { plannedApp } from '../support/plans.ts';

/** What punches and days read among 20,000 days of one organization and 5,000 of another one. */
const MEMBERS = 100;

const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
let ids: string[] = [];

before(async () => {
  const other = await app.actor();
  ids = await planned.fill(async () => {
    await seedDays(app.database, other.actor, { members: 25, from: '2026-01-01', to: '2026-07-19' });
    return seedDays(app.database, client.actor, { members: MEMBERS, from: '2026-01-01', to: '2026-07-19' });
  });
});

/** The tables that grow with every day. */
const GROWING = [
  'attendance_sessions',
  'attendance_punches',
  'attendance_records',
  'attendance_day_revisions',
  'attendance_members',
];

/** Those of a call about all members of an organization, to whom nearly all rows of the table of members belong. */
const GROWING_BY_DAY = GROWING.filter((table) => table !== 'attendance_members');

/** Asserts that a call reads none of these whole, and no more rows than said. */
async function reads(
  most: number,
  call: () => Promise<{ status: number; text: string }>,
  tables: readonly string[] = GROWING,
): Promise<void> {
  const { whole, rows } = await planned.plansOf(async () => {
    const reply = await call();
    assert.ok(reply.status < 300, reply.text);
  });
  const large = tables.filter((table) => whole.has(table));
  assert.deepEqual(large, [], `${large} were read whole`);
  assert.ok(rows <= most, `${rows} rows were looked at, more than ${most}`);
}

describe('punches and days read by index', () => {
  test('a punch, and the status', async () => {
    const member_id = ids[50]!;
    for (const type of ['clock_in', 'break_start', 'clock_out']) {
      await reads(600, () => client.post('/attendance/punches', { type, member_id }));
    }
    await reads(600, () => client.get(`/attendance/punches/status?member_id=${member_id}`));
  });

  test('a day with all that it follows from, and a day that is replaced', async () => {
    const path = `/attendance/records/${ids[51]}/2026-06-10`;
    await reads(1_000, () => client.get(path));
    await reads(1_000, () => client.send('PUT', path, { sessions: [] }));
  });

  test('whether a change has records to compute again', async () => {
    await reads(600, () => client.send('PATCH', '/attendance/settings', { day_boundary_time: '04:00' }));
    await reads(600, () =>
      client.post(`/attendance/members/${ids[52]}/terms`, { effective_from: '2026-06-01' }),
    );
  });

  test('months, limits and how members stand', async () => {
    const member_id = ids[53]!;
    await reads(3_000, () =>
      client.get(`/attendance/reports/my-monthly?member_id=${member_id}&month=2026-06`),
    );
    await reads(
      20_000,
      () => client.get('/attendance/reports/monthly?month=2026-06&limit=50'),
      GROWING_BY_DAY,
    );
    await reads(40_000, () => client.get('/attendance/limits?month=2026-06&limit=50'), GROWING_BY_DAY);
    await reads(2_000, () => client.get('/attendance/overview?month=2026-06'));
    await reads(20_000, () => client.get('/attendance/members/overview?limit=50'), GROWING_BY_DAY);
    await reads(60_000, () => client.get('/attendance/dashboard'), GROWING_BY_DAY);
  });

  test('the history of a member, and of all', async () => {
    const dates = 'from=2026-06-01&to=2026-06-30';
    await reads(2_000, () => client.get(`/attendance/punches/history?member_id=${ids[54]}&${dates}`));
    await reads(40_000, () => client.get(`/attendance/punches/history?${dates}&cursor_mode=true`));
    const since = new Date(Date.now() + 60_000).toISOString();
    await reads(600, () =>
      client.get(`/attendance/punches/history?${dates}&updated_after=${since}&sort=updated_at:asc`),
    );
  });

  test('opening months, and a preview', async () => {
    const items = [{ month: '2025-12', statutory_overtime_minutes: 60, legal_holiday_minutes: 0 }];
    await reads(1_000, () => client.send('PUT', `/attendance/members/${ids[55]}/opening-months`, { items }));
    await reads(600, () => client.post('/attendance/preview', { days: [{ date: '2026-06-01' }] }));
  });
});
