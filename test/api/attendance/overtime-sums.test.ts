import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LimitsAsked, limitsOf, type MonthOfOvertime } from '../../../shared/attendance/days/limits.ts';
import { monthNumber, monthText, shown } from '../../../shared/attendance/days/periods.ts';
import { periodOf } from '../../../shared/attendance/days/rules.ts';
import { limitsAskedFor } from '../../../shared/attendance/months/limits.ts';
import { laidFor, type MonthLaid } from '../../../shared/attendance/months/month.ts';
import { daysLater } from '../../../shared/kernel/days.ts';
import { dayOf } from '../../../shared/kernel/local-time.ts';
import { type Reader, systemActor } from '../../../shared/kernel/reader.ts';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

type Kept = {
  member_id: string;
  work_date: string;
  statutory_overtime_minutes: number;
  legal_holiday_minutes: number;
  has_presence: boolean;
};

const kept = fc.record({
  place: fc.nat(2),
  back: fc.nat(450),
  overtime: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
  holiday: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
  there: fc.boolean(),
});

const opening = fc.record({
  place: fc.nat(2),
  back: fc.nat(16),
  overtime: fc.nat(3_000),
  holiday: fc.nat(900),
});

const changes = fc.record({
  days: fc.array(kept, { maxLength: 30 }),
  openings: fc.uniqueArray(opening, { maxLength: 6, selector: ({ place, back }) => `${place} ${back}` }),
  gone: fc.nat(450),
  asked: fc.record({ month: fc.nat(4), back: fc.nat(160) }),
});

/** What the limits of a month are asked with by the rules alone: every day of a member, by its period. */
function months(laid: MonthLaid, to: string, rows: readonly Kept[], openings: readonly MonthOfOvertime[]) {
  const periodOn = (date: string) => monthText(periodOf(laid.rules, dayOf(date)).month);
  const worked = new Set(rows.filter((row) => row.has_presence).map((row) => periodOn(row.work_date)));
  const begun = (month: string) => shown(laid.rules.periods.ofMonth(monthNumber(month))).start <= to;
  const all: MonthOfOvertime[] = [
    ...rows
      .filter(({ work_date }) => work_date <= to)
      .map((row) => ({ ...row, month: periodOn(row.work_date) })),
    ...openings.map((one) =>
      begun(one.month) && !worked.has(one.month)
        ? one
        : { month: one.month, statutory_overtime_minutes: 0, legal_holiday_minutes: 0 },
    ),
  ].filter(({ month }) => month <= laid.month);
  const sum = (
    own: readonly MonthOfOvertime[],
    name: 'statutory_overtime_minutes' | 'legal_holiday_minutes',
  ) => own.reduce((total, one) => total + one[name], 0);
  return [...Map.groupBy(all, ({ month }) => month)].map(([month, own]) => ({
    month,
    statutory_overtime_minutes: sum(own, 'statutory_overtime_minutes'),
    legal_holiday_minutes: sum(own, 'legal_holiday_minutes'),
  }));
}

for (const closing_day of ['end', 20]) {
  test(`limits are those of every day and opening month, after any changes of these; closing ${closing_day}`, async () => {
    const owner = await newWorkplace(app);
    const { organization_id } = owner;
    await owner.done('PATCH', '/settings', { closing_day, effective_from: '2026-03-01' });
    const ids = [owner.member_id, (await owner.person()).id, (await owner.person()).id];
    const today = '2026-11-26';
    await fc.assert(
      fc.asyncProperty(changes, async ({ days, openings, gone, asked }) => {
        await app.database.withConnection(organization_id, async (connection) => {
          const { query } = connection;
          await query('DELETE FROM attendance_records WHERE organization_id = $1 AND work_date < $2', [
            organization_id,
            daysLater(today, -gone),
          ]);
          await query('DELETE FROM attendance_opening_months WHERE organization_id = $1', [organization_id]);
          for (const { place, back, overtime, holiday, there } of days) {
            const date = daysLater(today, -back);
            await query(
              `INSERT INTO attendance_records (organization_id, id, member_id, work_date, day_type, work_system, is_employed,
                 leave, statutory_overtime_minutes, legal_holiday_minutes, has_break_shortage, is_absence, has_presence, version,
                 calc_version, created_at, updated_at)
               VALUES ($1, $2, $3, $4, 'workday', 'fixed', true, '[]', $5, $6, false, false, $7, 1, 1, now(), now())
               ON CONFLICT (organization_id, member_id, work_date) DO UPDATE
                 SET statutory_overtime_minutes = $5, legal_holiday_minutes = $6, has_presence = $7`,
              [organization_id, `arec_${place}_${date}`, ids[place], date, overtime, holiday, there],
            );
          }
          for (const { place, back, overtime, holiday } of openings) {
            await query('INSERT INTO attendance_opening_months VALUES ($1, $2, $3, $4, $5)', [
              organization_id,
              ids[place],
              monthText(monthNumber('2026-11') - back),
              overtime,
              holiday,
            ]);
          }
          const reader: Reader = {
            connection,
            organization_id,
            actor: systemActor,
            now: new Date(`${daysLater(today, -asked.back)}T03:00:00.000Z`),
            request_id: null,
            ip_address: null,
          };
          const laid = await laidFor(reader, monthText(monthNumber('2026-11') - asked.month));
          const found = await limitsAskedFor(reader, ids, laid);
          const rows = await query<Kept>(
            'SELECT * FROM attendance_records WHERE organization_id = $1 ORDER BY work_date',
            [organization_id],
          );
          const opened = await query<MonthOfOvertime & { member_id: string }>(
            'SELECT * FROM attendance_opening_months WHERE organization_id = $1',
            [organization_id],
          );
          const to = laid.today < laid.period.end ? laid.today : laid.period.end;
          for (const id of ids) {
            const own = found.get(id) as LimitsAsked;
            const isOwn = ({ member_id }: { member_id: string }) => member_id === id;
            const judged = { ...own, months: months(laid, to, rows.filter(isOwn), opened.filter(isOwn)) };
            assert.deepEqual(limitsOf(own), limitsOf(judged));
          }
        });
      }),
      { numRuns: 25 },
    );
  });
}
