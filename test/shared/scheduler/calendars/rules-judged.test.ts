import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import ICAL from 'ical.js';
import { startsByRule } from '../../../../shared/scheduler/calendars/reading/rules.ts';

/** The system's Python: its dateutil comes with the system. */
const PYTHON = '/usr/bin/python3';

/** Random rules of whole days with their starts as dateutil gives them, up to the first of December 2028. */
const PROGRAM = `
import json, random, sys
from datetime import datetime
from dateutil.rrule import rrulestr
random.seed(20261126)
END = datetime(2028, 12, 1)
WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

def some(of, most):
    return sorted(random.sample(of, random.randint(1, most)))

def rule():
    frequency = random.choice(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'])
    parts = ['FREQ=' + frequency]
    if random.random() < 0.4: parts.append('INTERVAL=%d' % random.randint(2, 4))
    if random.random() < 0.4: parts.append('BYMONTH=' + ','.join(map(str, some(range(1, 13), 3))))
    if frequency != 'WEEKLY' and random.random() < 0.4:
        parts.append('BYMONTHDAY=' + ','.join(map(str, some([1, 2, 5, 15, 28, 29, 30, 31, -1, -2], 3))))
    elif random.random() < 0.5:
        days = some(WEEKDAYS, 3)
        if frequency == 'MONTHLY' and random.random() < 0.6:
            days = [random.choice(['1', '2', '3', '4', '-1', '-2', '5']) + day for day in days]
        parts.append('BYDAY=' + ','.join(days))
        if frequency == 'MONTHLY' and random.random() < 0.3: parts.append('BYSETPOS=%d' % random.choice([1, -1, 2]))
    if random.random() < 0.2: parts.append('WKST=SU')
    parts.append('COUNT=8' if random.random() < 0.6 else 'UNTIL=20280601T000000Z')
    return ';'.join(parts)

answers = []
for _ in range(300):
    text = rule()
    first = datetime(2026, 12, random.randint(1, 31), random.randint(0, 23), random.choice([0, 30]))
    starts = []
    for start in rrulestr(text.replace('Z', ''), dtstart=first):
        if start >= END: break
        starts.append(start.isoformat())
    answers.append({'rule': text, 'first': first.isoformat(), 'starts': starts})
json.dump(answers, sys.stdout)
`;

type Judged = { rule: string; first: string; starts: string[] };

describe('dateutil gives the same starts', () => {
  const judged: Judged[] = JSON.parse(execFileSync(PYTHON, ['-c', PROGRAM], { encoding: 'utf8' }));
  const window = { from: Date.parse('2026-11-01'), to: Date.parse('2028-12-01'), floating: 'UTC' };

  it('for 300 random rules', () => {
    assert.equal(judged.length, 300);
    for (const { rule, first, starts } of judged) {
      const found = startsByRule(ICAL.Recur.fromString(rule), ICAL.Time.fromDateTimeString(first), window);
      // The window of the rules is a little wider.
      const texts = found.map((time) => time.toString()).filter((text) => text < '2028-12-01');
      assert.deepEqual(texts, starts, `${rule} from ${first}`);
    }
  });
});
