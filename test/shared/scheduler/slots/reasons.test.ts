import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '../../../../shared/kernel/turns.ts';
import { startsOf } from '../../../../shared/scheduler/slots/starts.ts';
import type { Host, Question, Verdict } from '../../../../shared/scheduler/slots/types.ts';
import {
  blockFrom,
  clockStarts,
  hostFrom,
  questionOf,
  reasonOf,
  spanOf,
} from '../../../support/slot-questions.ts';

const ELEVEN = '2027-02-01T02:00Z';

/** The verdict about eleven o'clock. */
function eleven(question: Question): Verdict {
  return startsOf(question).verdict(Date.parse(ELEVEN));
}

const busy = [blockFrom('2027-02-01T02:10Z', '2027-02-01T02:20Z', { kind: 'hold', id: 'early' })];
const near = [blockFrom('2027-02-01T02:35Z', '2027-02-01T03:00Z', { kind: 'booking', id: 'near' })];
const free = hostFrom('10:00', '13:00');
const away = hostFrom('15:00', '18:00');
const occupied = hostFrom('10:00', '13:00', { blocks: busy });
const beside = hostFrom('10:00', '13:00', { blocks: near });
const unknown = hostFrom('10:00', '13:00', { calendar_works: false });
const rotating = (host: Host): Host => ({ ...host, role: 'rotating' });
const optional = (host: Host): Host => ({ ...host, role: 'optional' });

describe('a start of one member has the first reason of the list', () => {
  const limits = { per_day: 0, per_week: null, per_month: null, minutes_per_day: null };
  const buffers = { buffer_after_minutes: 10 };

  test('what is wrong with the time comes before what is wrong with the member', () => {
    const event_type = {
      limits,
      min_notice_minutes: 60,
      booking_window: { type: 'rolling_days', days: 0 },
    } as const;
    const of = (now: string, start = ELEVEN) =>
      reasonOf(questionOf({ now, event_type, hosts: [away] }), start);
    assert.equal(of('2027-02-01T02:00:01Z'), 'past');
    assert.equal(of('2027-02-01T02:00Z'), 'too_soon');
    assert.equal(of('2027-01-31T02:00Z'), 'beyond_window');
    assert.equal(of('2027-02-01T00:00Z', '2027-02-01T02:10Z'), 'not_aligned');
    assert.equal(of('2027-02-01T00:00Z'), 'outside_hours');
  });

  test('what is in the way is named, the first before the others', () => {
    const host = hostFrom('10:00', '13:00', { blocks: [...near, ...busy] });
    const verdict = eleven(questionOf({ event_type: { ...buffers, limits }, hosts: [host] }));
    assert.deepEqual(verdict, {
      ok: false,
      reason: 'busy',
      host: 0,
      blocked_by: { kind: 'hold', id: 'early' },
    });
  });

  test('what overlaps with buffers alone is told apart', () => {
    const verdict = eleven(questionOf({ event_type: { ...buffers, limits }, hosts: [beside] }));
    assert.deepEqual(verdict, {
      ok: false,
      reason: 'buffer',
      host: 0,
      blocked_by: { kind: 'booking', id: 'near' },
    });
    assert.equal(reasonOf(questionOf({ hosts: [beside] }), ELEVEN), 'bookable');
  });

  test('limits come before a calendar that is not known', () => {
    assert.equal(reasonOf(questionOf({ event_type: { limits }, hosts: [unknown] }), ELEVEN), 'limit_reached');
    assert.equal(reasonOf(questionOf({ hosts: [unknown] }), ELEVEN), 'calendar_unavailable');
  });
});

describe('a start of several members', () => {
  const event_type = { buffer_after_minutes: 10 };
  const told = (...hosts: Host[]) => {
    const { reason, host } = eleven(questionOf({ event_type, hosts }));
    return [reason, host];
  };

  test('has the earliest reason of the required ones', () => {
    assert.deepEqual(told(free, unknown, beside, occupied, beside), ['busy', 3]);
    assert.deepEqual(told(beside, away, away), ['outside_hours', 1]);
  });

  test('has the latest reason of the rotating ones, if none of them is free', () => {
    assert.deepEqual(told(rotating(away), rotating(beside), rotating(occupied)), ['buffer', 1]);
    assert.deepEqual(told(rotating(away), rotating(beside), rotating(free)), [null, null]);
  });

  test('has a reason of the required ones before one of those who rotate', () => {
    assert.deepEqual(told(rotating(free), rotating(away), beside), ['buffer', 2]);
    assert.deepEqual(told(free, rotating(away)), ['outside_hours', 1]);
  });

  test('has no reason of optional ones', () => {
    assert.deepEqual(told(optional(away), free), [null, null]);
  });
});

describe('a session', () => {
  const SEATS = { seats_per_slot: 3 };
  const span = spanOf(ELEVEN, 30);
  const held = hostFrom('10:00', '12:00', {
    blocks: [{ ...blockFrom(ELEVEN, ELEVEN), ...span, kind: 'booking' }],
  });
  const seated = (seats_left: number, changes: Parameters<typeof questionOf>[0] = {}) =>
    questionOf({
      hosts: [held],
      sessions: [{ ...span, seats_left }],
      ...changes,
      event_type: { ...SEATS, ...changes.event_type },
    });

  test('is offered while seats are left, the other starts with all of theirs', () => {
    const slots = atOnce(
      startsOf(seated(1)).offered(Date.parse('2027-02-01T01:00Z'), Date.parse('2027-02-01T05:00Z')),
    );
    assert.deepEqual(
      slots.map(({ start, seats_left }) => [start - Date.parse(ELEVEN), seats_left]),
      [
        [-60 * 60_000, 3],
        [-30 * 60_000, 3],
        [0, 1],
        [30 * 60_000, 3],
      ],
    );
  });

  test('that is full is refused as such', () => {
    assert.deepEqual(clockStarts(seated(0), '2027-02-01'), ['10:00', '10:30', '11:30']);
    assert.equal(reasonOf(seated(0), ELEVEN), 'seats_full');
  });

  test('needs neither room in the limits, which count it, nor a grid that has not moved', () => {
    const limits = { per_day: 1, per_week: null, per_month: null, minutes_per_day: null };
    const question = seated(2, { counted: [span], event_type: { limits, slot_interval_minutes: 60 } });
    assert.deepEqual(clockStarts(question, '2027-02-01'), ['11:00']);
    const shifted = spanOf('2027-02-01T02:10Z', 30);
    const off = seated(2, { sessions: [{ ...shifted, seats_left: 1 }], hosts: [free] });
    assert.deepEqual(clockStarts(off, '2027-02-01'), [
      '10:00',
      '10:30',
      '11:00',
      '11:10',
      '11:30',
      '12:00',
      '12:30',
    ]);
  });

  test('keeps to the bounds and to the windows', () => {
    assert.deepEqual(clockStarts(seated(2, { hosts: [away] }), '2027-02-01'), [
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
      '17:30',
    ]);
    assert.equal(reasonOf(seated(2, { hosts: [away] }), ELEVEN), 'outside_hours');
    const late = seated(2, { now: '2027-02-01T02:01Z' });
    assert.equal(reasonOf(late, ELEVEN), 'past');
    assert.deepEqual(clockStarts(late, '2027-02-01'), ['11:30']);
  });

  test('of another length is a booking like any', () => {
    const question = seated(2, { event_type: { duration_minutes: 20, slot_interval_minutes: 30 } });
    assert.equal(reasonOf(question, ELEVEN), 'busy');
  });
});
