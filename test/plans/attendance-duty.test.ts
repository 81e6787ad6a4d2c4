import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fiveDayAtRisk } from '../../shared/attendance/leave/balances/at-risk.ts';
import { balancesOf } from '../../shared/attendance/leave/balances/queries.ts';
import { daysLater } from '../../shared/kernel/days.ts';
import { type Reader, systemActor } from '../../shared/kernel/reader.ts';
import { seedDays } from '../support/many-days.ts';
import { seedLeaveOfYears } from '../support/many-leave.ts';
import { plannedApp } from '../support/plans.ts';

/** What the search for who has not taken five days reads, among four years of leave. */
const MEMBERS = 1_000;
const YEARS = 4;
const EACH = 12;
const TODAY = '2026-06-30';
const from = daysLater(TODAY, -YEARS * 365);

const planned = await plannedApp();
const { app } = planned;
const { actor } = await app.actor();
let ids: string[] = [];

before(async () => {
  ids = await planned.fill(async () => {
    const made = await seedDays(app.database, actor, { members: MEMBERS, from: TODAY, to: TODAY });
    await seedLeaveOfYears(app.database, actor, { member_ids: made, from, years: YEARS, each: EACH });
    return made;
  });
});

const read = <T>(ask: (reader: Reader) => Promise<T>): Promise<T> =>
  app.database.withConnection(actor.organization_id, (connection) =>
    ask({
      connection,
      organization_id: actor.organization_id,
      actor: systemActor,
      now: new Date(`${TODAY}T03:00:00Z`),
      request_id: null,
      ip_address: null,
    }),
  );

test('who is at risk is who has not met the duty by all of their leave, on any day', async () => {
  const holders = ids.map((id) => ({ id, hired_on: null, left_on: null }));
  for (const as_of of [-700, -365, -100, 0, 60].map((days) => daysLater(TODAY, days))) {
    const balances = await read((reader) => balancesOf(reader, holders, { as_of }));
    const unmet = balances.filter(({ five_day }) => five_day?.met === false);
    const found = await read((reader) => fiveDayAtRisk(reader, ids, as_of));
    assert.deepEqual(
      found,
      unmet.map(({ member_id }) => member_id),
      as_of,
    );
    assert.ok(
      found.length > 50 && balances.some(({ five_day }) => five_day?.met),
      `${as_of}: ${found.length}`,
    );
  }
});

test('those of earlier years are not looked at, but to see that they ended', async () => {
  const { whole, rows } = await planned.plansOf(() => read((reader) => fiveDayAtRisk(reader, ids, TODAY)));
  assert.ok(
    !whole.has('attendance_leave_requests') && !whole.has('attendance_leave_days'),
    [...whole].join(),
  );
  // The members and their grants twice; two years of live requests, and of half of those the days that were kept.
  const most = MEMBERS * (2 + 2 * YEARS + 2.2 * EACH + 0.6 * EACH);
  assert.ok(rows <= most, `${rows} rows were looked at, more than ${most}`);
});
