import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { instantNamed, zoneNamed } from '../../../../api/scheduler/pages/address.ts';
import { formatsOf } from '../../../../api/scheduler/pages/format.ts';
import { weeksOf } from '../../../../api/scheduler/pages/month.ts';
import { choiceOf, daysOf, firstMonth, rangeOf } from '../../../../api/scheduler/pages/times.ts';

const tokyo = formatsOf('en', 'Asia/Tokyo', '24');
const slot = (start: string) => ({
  start: Date.parse(start),
  end: Date.parse(start) + 1_800_000,
  seats_left: 1,
});
const days = daysOf(
  ['2026-12-01T01:00:00Z', '2026-12-01T15:00:00Z', '2026-12-10T01:00:00Z', '2027-01-05T01:00:00Z'].map(slot),
  tokyo,
);
const nothing = { date: null, month: null };

describe('weeks of a month', () => {
  test('begin on the first day of the week, with empty places before and after', () => {
    const sunday = weeksOf('2026-12', 'sunday');
    assert.deepEqual(sunday[0], [
      null,
      null,
      '2026-12-01',
      '2026-12-02',
      '2026-12-03',
      '2026-12-04',
      '2026-12-05',
    ]);
    assert.deepEqual(sunday.at(-1), [
      '2026-12-27',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      null,
      null,
    ]);
    assert.equal(weeksOf('2026-12', 'monday')[0]![1], '2026-12-01');
    assert.equal(weeksOf('2027-02', 'monday').length, 4);
    assert.equal(weeksOf('2026-08', 'sunday').length, 6);
  });
});

describe('what is shown of the times', () => {
  test('is the first day of the month that has any', () => {
    assert.deepEqual([...days.keys()], ['2026-12-01', '2026-12-02', '2026-12-10', '2027-01-05']);
    assert.deepEqual(choiceOf(nothing, '2026-12', days), {
      month: '2026-12',
      date: '2026-12-01',
      next_free: null,
    });
  });

  test('is the next month where nobody asked for this one, which has none', () => {
    const choice = choiceOf(nothing, '2026-11', days);
    assert.deepEqual(choice, { month: '2026-12', date: '2026-12-01', next_free: null });
  });

  test('is the day that was asked for, with the next free one where that has none', () => {
    const asked = { date: '2026-12-03', month: null };
    assert.deepEqual(choiceOf(asked, '2026-12', days), {
      month: '2026-12',
      date: '2026-12-03',
      next_free: '2026-12-10',
    });
  });

  test('is the month that was asked for, even if it has none', () => {
    const asked = { date: null, month: '2026-11' };
    assert.deepEqual(choiceOf(asked, '2026-11', days), {
      month: '2026-11',
      date: null,
      next_free: '2026-12-01',
    });
    assert.deepEqual(choiceOf(asked, '2026-11', new Map()), {
      month: '2026-11',
      date: null,
      next_free: null,
    });
  });
});

describe('the months that are read', () => {
  test('begin no earlier than the present one, and are never more than 62 days', () => {
    assert.equal(firstMonth({ date: '2027-02-03', month: null }, '2026-11-26'), '2027-02');
    assert.equal(firstMonth({ date: null, month: '2025-01' }, '2026-11-26'), '2026-11');
    for (let month = 1; month <= 12; month++) {
      const { from, to } = rangeOf(`2027-${String(month).padStart(2, '0')}`);
      assert.ok((Date.parse(to) - Date.parse(from)) / 86_400_000 <= 62, from);
    }
  });
});

describe('what an address names', () => {
  for (const [name, zone] of [
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['+09:00', null],
    ['Tokyo', null],
    ['', null],
  ] as const) {
    test(`the time zone ${name || 'of nothing'} is ${zone}`, () => assert.equal(zoneNamed(name), zone));
  }

  test('an instant is one of this century in UTC', () => {
    assert.equal(instantNamed('2026-12-01T01:00:00.000Z'), Date.parse('2026-12-01T01:00:00Z'));
    for (const text of ['2026-12-01', 'now', '2026-13-01T01:00:00Z', '2026-12-01T01:00:00+09:00']) {
      assert.equal(instantNamed(text), null, text);
    }
  });
});

describe('formats', () => {
  const [start, end] = [Date.parse('2026-12-01T01:00:00Z'), Date.parse('2026-12-01T01:30:00Z')];

  test('name the day, the clock time and the zone in both languages', () => {
    const ja = formatsOf('ja', 'Asia/Tokyo', '24');
    assert.equal(
      ja.span(start, end),
      '<time datetime="2026-12-01T10:00:00+09:00">2026年12月1日(火) 10:00</time>～<time datetime="2026-12-01T10:30:00+09:00">10:30</time>',
    );
    assert.equal(ja.zone_name, '日本標準時');
    assert.equal(tokyo.zone_name, 'Japan Standard Time');
    assert.equal(formatsOf('en', 'Europe/Paris', '12').clock(start + 12 * 3_600_000), '2:00 pm');
  });

  test('name the day of an end on another date', () => {
    assert.match(tokyo.span(start, start + 86_400_000), /Wed, 2 December 2026 10:00<\/time>$/);
  });

  test('tell durations as people do', () => {
    const { duration } = formatsOf('ja', 'Asia/Tokyo', '24');
    assert.deepEqual([30, 60, 90, 150].map(duration), ['30分', '1時間', '90分', '2時間30分']);
    assert.deepEqual([1, 60, 150].map(tokyo.duration), ['1 minute', '1 hour', '2 hours 30 minutes']);
  });
});
