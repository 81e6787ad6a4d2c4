import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rulesOf } from '../../../shared/attendance/days/rules.ts';
import { lastInstantOf } from '../../../shared/attendance/days/sessions-of-punches.ts';
import type { Session } from '../../../shared/attendance/days/types.ts';
import { judgedDays } from '../../../shared/attendance/records/judged-days.ts';
import type { DaysOfMember } from '../../../shared/attendance/records/member-days.ts';
import { sessionMeeting } from '../../../shared/attendance/records/replace.ts';
import { member, organization } from '../../support/attended-days.ts';

const FIRST = Date.UTC(2026, 9, 5, 0);
const DAYS = 6;
const dateOf = (day: number) => new Date(FIRST + day * 86_400_000).toISOString().slice(0, 10);

/** A session of a date that begins some hours after 9:00 in Tokyo, and may reach over the days behind it or run. */
function sessionOf(day: number, from: number, hours: number | null): Session {
  const at = (hour: number) => new Date(FIRST + (day * 24 + hour) * 3_600_000).toISOString();
  return {
    work_date: dateOf(day),
    clock_in_at: at(from),
    clock_out_at: hours === null ? null : at(from + hours),
    breaks: [],
  };
}

const hours = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const someDays = fc
  .uniqueArray(fc.tuple(fc.nat({ max: DAYS - 1 }), fc.integer({ min: -12, max: 20 }), hours), {
    selector: ([day]) => day,
    maxLength: DAYS,
  })
  .map((days) => days.map(([day, from, length]) => sessionOf(day, from, length)));

/** The sessions that a database could hold: none that overlap, and one that runs is the newest. */
function standing(sessions: readonly Session[]): Session[] {
  const kept: Session[] = [];
  for (const session of sessions.toSorted((one, other) => (one.clock_in_at < other.clock_in_at ? -1 : 1))) {
    const last = kept.at(-1);
    if (last && (last.clock_out_at === null || sessionMeeting([session], kept))) continue;
    kept.push(session);
  }
  return kept;
}

test('days that are replaced together never overlap afterwards, and none is refused without another in its way', () => {
  fc.assert(
    fc.property(someDays, someDays, (before, asked) => {
      const rules = rulesOf(organization());
      const kept = standing(before).map((one, index) => ({ ...one, id: `s${index}`, member_id: 'm' }));
      const newest = kept.at(-1) ?? null;
      const judged = judgedDays(
        asked.map(({ work_date, ...sent }) => ({ work_date, sent: [{ ...sent, breaks: [] }] })),
        {
          rules,
          now: new Date('2026-11-24T00:00:00.000Z'),
          max_session_hours: 48,
          member: { ...member(), sessions: kept } as DaysOfMember,
          newest,
        },
      );
      const stay = kept.filter(({ work_date }) => !('sessions' in (judged.get(work_date) ?? {})));
      const come = [...judged.values()].flatMap((day) => ('sessions' in day ? day.sessions : []));
      const all = [...stay, ...come];
      for (const [index, one] of all.entries()) {
        const others = all.filter((_, place) => place !== index);
        assert.equal(sessionMeeting([one], others), undefined);
        const isNewest = others.every((other) => lastInstantOf(other) <= one.clock_in_at);
        // What ran before and is not asked about may have become older: it is shown as without end.
        if (one.clock_out_at === null && come.includes(one)) assert.ok(isNewest);
      }
      for (const { work_date, ...sent } of asked) {
        const day = judged.get(work_date)!;
        if ('sessions' in day) continue;
        const { code, details } = day.refused;
        const others = [...all, ...asked.filter((other) => other.work_date !== work_date)];
        if (code === 'overlapping_session') assert.ok(sessionMeeting([{ work_date, ...sent }], others));
        else
          assert.deepEqual(
            details.errors?.map((error) => error.code),
            ['required'],
          );
      }
    }),
    { numRuns: 500 },
  );
});
