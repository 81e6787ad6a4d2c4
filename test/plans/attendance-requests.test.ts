import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pendingCounts } from '../../shared/attendance/overview/requests.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { seedDays } from '../support/many-days.ts';
import { seedLeave, seedRequests } from '../support/many-requests.ts';
import { plannedApp } from '../support/plans.ts';

/** What lists of requests read among 100,000 of each kind, and what the days of a member read of approved overtime. */
const COUNT = 100_000;
/** So many members have leave that to look at all of a tenth of them costs more than to look at what waits. */
const MANY = 3_000;
const planned = await plannedApp();
const { app } = planned;
const client = await app.actor();
const large = await app.actor();
let ids: string[] = [];
let many: string[] = [];

before(async () => {
  ids = await planned.fill(async () => {
    const days = { from: '2026-06-01', to: '2026-06-30' };
    const made = await seedDays(app.database, client.actor, { members: 100, ...days });
    await seedRequests(app.database, client.actor, { member_ids: made, count: COUNT, from: '2024-01-01' });
    const day = { from: '2026-06-30', to: '2026-06-30' };
    many = await seedDays(app.database, large.actor, { members: MANY, ...day });
    await seedLeave(app.database, large.actor, { member_ids: many, count: MANY * 10, from: '2026-01-01' });
    return made;
  });
});

async function reads(most: number, path: string): Promise<void> {
  const { whole, rows } = await planned.plansOf(async () => {
    const reply = await client.get(`/attendance${path}`);
    assert.equal(reply.status, 200, reply.text);
  });
  const tables = ['attendance_corrections', 'attendance_overtime_requests', 'attendance_records'];
  assert.deepEqual(
    tables.filter((table) => whole.has(table)),
    [],
    path,
  );
  assert.ok(rows <= most, `${path}: ${rows} rows were looked at, more than ${most}`);
}

for (const path of ['/corrections', '/overtime-requests']) {
  describe(path, () => {
    const cases: [name: string, query: () => string][] = [
      ['the newest', () => 'skip_total=true'],
      ['those that wait for a decision', () => 'status=pending&skip_total=true'],
      ['of a member, with their number', () => `member_id=${ids[7]}`],
      ['by date', () => 'sort=work_date:asc&skip_total=true'],
      ['of two days, with their number', () => 'from=2026-06-01&to=2026-06-02'],
      ['by their own IDs', () => 'external_id=K-5000,K-90000'],
      ['changed since', () => 'updated_after=2026-09-24T00:00:00Z&skip_total=true'],
    ];
    // A member has 1,000 of them: these are read for the page, and once more for their number.
    for (const [name, query] of cases) test(name, () => reads(8_000, `${path}?${query()}`));
  });
}

test('the days of a member read their own approved overtime', () =>
  reads(2_000, `/records/${ids[7]}/2026-06-10`));

test('how many requests of thousands of members wait is counted among those that wait', async () => {
  const { organization_id } = large.actor;
  const { rows } = await planned.plansOf(() =>
    app.database.withConnection(organization_id, async (connection) => {
      const reader = { connection, organization_id, actor: systemActor, now: new Date() };
      // All ten requests of each hundredth member wait; one of those is not asked for.
      const asked = many.filter((_, place) => place !== 99);
      const counts = await pendingCounts({ ...reader, request_id: null, ip_address: null }, asked);
      assert.deepEqual(counts, { leave_request: MANY / 10 - 10, correction: 0, overtime_request: 0 });
    }),
  );
  assert.ok(rows <= MANY / 5, `${rows} rows were looked at`);
});
