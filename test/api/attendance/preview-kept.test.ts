import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../support/app.ts';
import { newWorkplace } from '../../support/attendance.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');
const app = await startApp({ now: () => NOW });

type Row = Record<string, unknown>;

const figuresOf = (record: Row) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name.endsWith('_minutes')));

/** A session of a day: when it begins and ends, in minutes of the day, and perhaps a break within. */
const session = fc.record({
  day: fc.constantFrom(18, 19, 20, 21, 22, 23, 24),
  start: fc.integer({ min: 300, max: 1_200 }),
  length: fc.integer({ min: 5, max: 1_100 }),
  pause: fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })), { nil: null }),
});

const week = fc.record({
  sessions: fc.uniqueArray(session, { minLength: 1, maxLength: 5, selector: ({ day }) => day }),
  work_system: fc.constantFrom('fixed', 'flexible', 'discretionary', 'variable_monthly', 'exempt'),
});

/** Different settings, one organization each. */
const SETTINGS: object[] = [
  {},
  { break_mode: 'auto_statutory', scheduled_basis: 'window', week_starts_on: 'monday' },
  {
    rounding: {
      unit_minutes: 15,
      clock_in: 'ceil',
      clock_out: 'floor',
      break_start: 'floor',
      break_end: 'ceil',
    },
    early_clock_in: 'ignore_unless_approved',
    closing_day: 20,
  },
];

/** The punches of sessions, those that would begin before an earlier one ends left out. */
function punchesIn(
  sessions: readonly { day: number; start: number; length: number; pause: [number, number] | null }[],
) {
  let free = 0;
  return sessions
    .toSorted((one, other) => one.day - other.day)
    .flatMap(({ day, start, length, pause }) => {
      const begin = day * 1_440 + start;
      if (begin < free) return [];
      free = begin + length + 1;
      const instant = (minute: number) =>
        new Date(Date.UTC(2026, 9, 1) + (minute - 1_440 - 540) * 60_000).toISOString();
      const from = pause && begin + Math.floor((length * pause[0]) / 4);
      const until = from && Math.min(from + pause[1], begin + length);
      return [
        { type: 'clock_in', occurred_at: instant(begin) },
        ...(from && until
          ? [
              { type: 'break_start', occurred_at: instant(from) },
              { type: 'break_end', occurred_at: instant(until) },
            ]
          : []),
        { type: 'clock_out', occurred_at: instant(begin + length) },
      ];
    });
}

test('a preview says what the same punches say when they are kept', async () => {
  const owners = await Promise.all(
    SETTINGS.map(async (settings) => {
      const owner = await newWorkplace(app);
      await owner.done('PATCH', '/settings', {
        ...settings,
        duplicate_window_seconds: 0,
        ...(Object.keys(settings).length > 0 && { effective_from: '2026-01-01' }),
      });
      return owner;
    }),
  );
  let count = 0;
  const days = Array.from({ length: 8 }, (_, index) => ({ date: `2026-10-${18 + index}` }));
  await fc.assert(
    fc.asyncProperty(week, async ({ sessions, work_system }) => {
      const owner = owners[count % owners.length]!;
      count += 1;
      const { id } = await owner.person();
      await owner.done('POST', `/members/${id}/terms`, { effective_from: '2026-01-01', work_system });
      const punches = punchesIn(sessions);
      for (const punch of punches) await owner.done('POST', '/punches', { ...punch, member_id: id });
      const { records, totals } = await owner.done('POST', '/preview', {
        terms: { work_system },
        days,
        punches,
      });
      const months = await Promise.all(
        ['2026-10', '2026-11'].map((month) =>
          owner.done('GET', `/reports/my-monthly?member_id=${id}&month=${month}&explain=true`),
        ),
      );
      const kept: Row[] = months
        .flatMap(({ report }) => report.days)
        .filter(({ work_date }) => days.some(({ date }) => date === work_date));
      const same = ({ work_date, day_type, sessions: made, segments, ...rest }: Row) => ({
        work_date,
        day_type,
        made,
        segments,
        figures: figuresOf(rest),
      });
      assert.deepEqual(records.slice(0, days.length).map(same), kept.map(same));
      const worked = kept.reduce((sum, { worked_minutes }) => sum + (worked_minutes as number), 0);
      assert.equal(totals.worked_minutes, worked);
    }),
    { numRuns: 30 },
  );
});
