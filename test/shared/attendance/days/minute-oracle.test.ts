import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { recordsOf } from '../../../../shared/attendance/days/records.ts';
import { rulesOf } from '../../../../shared/attendance/days/rules.ts';
import type { WorkSystem } from '../../../../shared/attendance/days/types.ts';
import { type AttendedWeek, attendedWeek } from '../../../support/attended-weeks.ts';

/** How many weeks of each work system are tried: ATTENDED_WEEKS=1000 takes some minutes. */
const WEEKS = Number(process.env['ATTENDED_WEEKS'] ?? 75);

const oracle = spawn('python3', [join(import.meta.dirname, 'minute_oracle.py')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
after(() => oracle.stdin.end());

/** What the loop over minutes says about a week. */
async function told(week: AttendedWeek): Promise<unknown> {
  oracle.stdin.write(`${JSON.stringify(week)}\n`);
  const { value, done } = await answers.next();
  assert.ok(!done, 'the oracle ended');
  return JSON.parse(value);
}

/** The same of the program, without what the oracle only hands on. */
function computed({ organization, member, from, to }: AttendedWeek): Record<string, unknown>[] {
  return recordsOf(rulesOf(organization), member, { from, to, with_segments: true }).map((record) => {
    const { sessions, leave, schedule, schedule_minutes, work_system, is_employed, ...rest } = record;
    return rest;
  });
}

const systems: WorkSystem[] = ['fixed', 'shift', 'flexible', 'discretionary', 'variable_monthly', 'exempt'];

describe('a loop over minutes, written from the rules alone, finds the same classes', () => {
  for (const system of systems) {
    test(`in ${WEEKS} weeks of ${system} work`, async () => {
      const week = attendedWeek(system);
      await fc.assert(
        fc.asyncProperty(week, async (one) => {
          assert.deepEqual(computed(one), await told(one));
        }),
        { numRuns: WEEKS, seed: 36, endOnFailure: process.env['SHRINK'] === undefined },
      );
    });
  }
});
