import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineText } from '../../../shared/sign/life/deadline.ts';

test('A deadline at midnight is the end of the day before, by the clock of its zone', () => {
  const tokyo = (instant: string, locale: 'ja' | 'en' = 'ja') =>
    deadlineText(instant, { locale, time_zone: 'Asia/Tokyo' });
  assert.equal(tokyo('2027-03-01T15:00:00.000Z'), '2027年3月1日(月) 24:00（日本標準時）');
  assert.equal(tokyo('2026-12-31T15:00:00.000Z'), '2026年12月31日(木) 24:00（日本標準時）');
  assert.match(
    tokyo('2027-03-01T15:00:00.000Z', 'en'),
    /^Mon,? 1 March 2027.* 24:00 \(Japan Standard Time\)$/,
  );
  assert.equal(tokyo('2027-03-01T15:00:01.000Z'), '2027年3月2日(火) 0:00（日本標準時）');
  assert.equal(tokyo('2027-03-01T08:30:00.000Z'), '2027年3月1日(月) 17:30（日本標準時）');
  assert.equal(tokyo('2027-03-01T14:59:00.000Z'), '2027年3月1日(月) 23:59（日本標準時）');
});
