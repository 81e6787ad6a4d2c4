import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retentionUntil, yearsKept } from '../../../shared/accounting/documents/retention.ts';

test('What is kept longer than days have four digits of their year is kept until the last one', () => {
  const year = { start_date: '9998-04-01', end_date: '9999-03-31' };
  assert.equal(retentionUntil([], '9999-12-31', 10), '9999-12-31');
  assert.equal(retentionUntil([year], '9999-01-01', 7), '9999-12-31');
  assert.equal(retentionUntil([], '9980-01-01', 10), '9992-01-01');
  assert.equal(
    retentionUntil([{ start_date: '2026-04-01', end_date: '2027-03-31' }], '2026-11-26', 10),
    '2037-05-31',
  );
});

test('It is the last day of the second month behind the end of the year, as the calendar counts', () => {
  const day = fc
    .date({ min: new Date('1000-01-01'), max: new Date('9900-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.integer({ min: 7, max: 90 }), (end_date, years) => {
      const month = Temporal.PlainDate.from(end_date).with({ day: 1 }).add({ years, months: 2 });
      const last = month.with({ day: month.daysInMonth }).toString();
      assert.equal(retentionUntil([{ start_date: end_date, end_date }], end_date, years), last);
    }),
  );
  assert.equal(
    retentionUntil([{ start_date: '2017-01-01', end_date: '2017-12-31' }], '2017-05-05', 10),
    '2028-02-29',
  );
});

test('More years hold for all that is there, fewer for what is made from then on', () => {
  const day = (month: number) => `2026-0${month}-01T00:00:00.000Z`;
  const rules = [
    { since: day(2), years: 7 },
    { since: day(4), years: 15 },
    { since: day(6), years: 8 },
    { since: day(8), years: 12 },
  ];
  const kept = (count: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((month) => yearsKept(rules.slice(0, count), day(month)));
  assert.deepEqual(kept(0), [10, 10, 10, 10, 10, 10, 10, 10, 10]);
  assert.deepEqual(kept(1), [10, 7, 7, 7, 7, 7, 7, 7, 7]);
  assert.deepEqual(kept(2), [15, 15, 15, 15, 15, 15, 15, 15, 15]);
  assert.deepEqual(kept(3), [15, 15, 15, 15, 15, 8, 8, 8, 8]);
  assert.deepEqual(kept(4), [15, 15, 15, 15, 15, 12, 12, 12, 12]);
});
