import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { expiryOf, grantDatesBetween } from '../../../../shared/attendance/leave/rules/statutory.ts';

/** The system's Python: its dateutil comes with the system. */
const PYTHON = '/usr/bin/python3';

/**
 * For hires, the grants of seven years: the day by relativedelta, which takes the last day of a month that lacks it, and
 * whether the month has the day; and the same of the end after two years.
 */
const PROGRAM = `
import json, sys
from datetime import date, timedelta
from dateutil.relativedelta import relativedelta
answers = []
for text in json.load(sys.stdin):
    hired = date.fromisoformat(text)
    grants = []
    for index in range(7):
        granted = hired + relativedelta(months=6 + 12 * index)
        ends = granted + relativedelta(months=24)
        grants.append({
            'granted_on': granted.isoformat() if granted.day == hired.day else None,
            'expires_on': (ends - timedelta(days=1)).isoformat() if ends.day == granted.day == hired.day else None,
        })
    answers.append(grants)
json.dump(answers, sys.stdout)
`;

type Judged = { granted_on: string | null; expires_on: string | null };

describe('dateutil says the same of every day of four years', () => {
  const first = Temporal.PlainDate.from('2027-01-01');
  const hires = Array.from({ length: 1_461 }, (_, count) => first.add({ days: count }).toString());
  const judged: Judged[][] = JSON.parse(
    execFileSync(PYTHON, ['-c', PROGRAM], { input: JSON.stringify(hires), encoding: 'utf8' }),
  );

  it('about the days of grants and their ends, where the month has the day', () => {
    let compared = 0;
    for (const [index, hired_on] of hires.entries()) {
      const own = grantDatesBetween(hired_on, hired_on, '2099-12-31').slice(0, 7);
      for (const [number, { granted_on, expires_on }] of judged[index]!.entries()) {
        if (granted_on !== null) assert.equal(own[number]!.granted_on, granted_on, `hired on ${hired_on}`);
        if (expires_on !== null)
          assert.equal(expiryOf(own[number]!.granted_on), expires_on, `of ${granted_on}`);
        if (granted_on !== null && expires_on !== null) compared += 1;
      }
    }
    assert.ok(compared > 9_900, `${compared} of ${hires.length * 7} grants`);
  });

  it('and where it has not, the grant is the day after the last one that dateutil has', () => {
    const lacking = hires.filter((_, index) => judged[index]!.some(({ granted_on }) => granted_on === null));
    assert.ok(lacking.length > 0);
    for (const hired_on of lacking) {
      for (const { granted_on } of grantDatesBetween(hired_on, hired_on, '2040-01-01')) {
        assert.ok([hired_on.slice(8), '01'].includes(granted_on.slice(8)), `${hired_on}: ${granted_on}`);
      }
    }
  });
});
