import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../../../shared/kernel/turns.ts';
import { startsOf } from '../../../../shared/scheduler/slots/starts.ts';
import { PLACES, slotCase } from '../../../support/random-slots.ts';
import { blockFrom, hostFrom, questionOf, reasonOf } from '../../../support/slot-questions.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const cases = slotCase(PLACES);
const tries = { numRuns: 150, seed: 62 };

describe('whatever is asked', () => {
  test('a longer range offers the same starts, and more: paging never moves the grid', () => {
    fc.assert(
      fc.property(cases, fc.nat(2 * DAY), fc.nat(2 * DAY), ({ question, from, to }, before, after) => {
        const starts = startsOf(question);
        const longer = atOnce(starts.offered(from - before, to + after));
        assert.deepEqual(
          longer.filter(({ start }) => from <= start && start < to),
          atOnce(starts.offered(from, to)),
        );
      }),
      tries,
    );
  });

  test('two pages are the whole', () => {
    fc.assert(
      fc.property(cases, fc.nat(DAY), ({ question, from, to }, cut) => {
        const starts = startsOf(question);
        const middle = Math.min(from + cut, to);
        assert.deepEqual(
          [...atOnce(starts.offered(from, middle)), ...atOnce(starts.offered(middle, to))],
          atOnce(starts.offered(from, to)),
        );
        assert.deepEqual(
          [...atOnce(starts.explained(from, middle)), ...atOnce(starts.explained(middle, to))],
          atOnce(starts.explained(from, to)),
        );
      }),
      tries,
    );
  });

  test('what is offered is bookable, and a start alone is judged as among others', () => {
    fc.assert(
      fc.property(cases, fc.nat(1_440), ({ question, from, to }, picked) => {
        const starts = startsOf(question);
        for (const { start } of atOnce(starts.offered(from, to))) assert.ok(starts.verdict(start).ok);
        const candidates = atOnce(starts.explained(from, from + DAY));
        const { start, ...verdict } = candidates[picked % candidates.length]!;
        assert.deepEqual(starts.verdict(start), verdict);
      }),
      tries,
    );
  });

  test('one more block takes bookable starts away and makes none', () => {
    fc.assert(
      fc.property(cases, fc.nat(DAY), fc.nat(DAY), ({ question, from, to }, after, length) => {
        const taken = {
          ...blockFrom('2027-01-01', '2027-01-01'),
          start: from + after,
          end: from + after + length,
        };
        const hosts = question.hosts.map((host) => ({ ...host, blocks: [...host.blocks, taken] }));
        const bookable = (asked: typeof question) =>
          atOnce(startsOf(asked).explained(from, to))
            .filter(({ ok }) => ok)
            .map(({ start }) => start);
        const before = new Set(bookable(question));
        assert.deepEqual(
          bookable({ ...question, hosts }).filter((start) => !before.has(start)),
          [],
        );
      }),
      tries,
    );
  });
});

describe('two events beside each other', () => {
  const buffer = fc.integer({ min: 0, max: 60 });
  const event = fc.record({
    start: fc.integer({ min: 0, max: 240 }),
    length: fc.integer({ min: 1, max: 120 }),
    before: buffer,
    after: buffer,
  });
  type Event = { start: number; length: number; before: number; after: number };
  const MORNING = Date.parse('2027-02-01T03:00Z');

  /** Whether an event can be booked beside one that is booked already. */
  const fits = (wanted: Event, booked: Event) => {
    const start = MORNING + booked.start * MINUTE;
    const taken = {
      ...blockFrom('2027-01-01', '2027-01-01'),
      start,
      end: start + booked.length * MINUTE,
      buffer_before_minutes: booked.before,
      buffer_after_minutes: booked.after,
    };
    const question = questionOf({
      hosts: [hostFrom('00:00', '24:00', { blocks: [taken] })],
      event_type: {
        duration_minutes: wanted.length,
        slot_interval_minutes: 1,
        buffer_before_minutes: wanted.before,
        buffer_after_minutes: wanted.after,
      },
    });
    return startsOf(question).verdict(MORNING + wanted.start * MINUTE).ok;
  };

  test('refuse each other alike, whichever was booked first', () => {
    fc.assert(
      fc.property(event, event, (one, other) => assert.equal(fits(one, other), fits(other, one))),
      tries,
    );
  });

  test('touch freely with the buffers of both between them, and not a minute nearer', () => {
    fc.assert(
      fc.property(event, event, (one, other) => {
        const next = { ...other, start: one.start + one.length + one.after + other.before };
        assert.ok(fits(next, one));
        assert.ok(!fits({ ...next, start: next.start - 1 }, one));
      }),
      tries,
    );
  });

  test('are compared to the second', () => {
    const ending = (end: string) =>
      questionOf({ hosts: [hostFrom('10:00', '13:00', { blocks: [blockFrom('2027-02-01T01:30Z', end)] })] });
    assert.equal(reasonOf(ending('2027-02-01T02:00:00Z'), '2027-02-01T02:00Z'), 'bookable');
    assert.equal(reasonOf(ending('2027-02-01T02:00:01Z'), '2027-02-01T02:00Z'), 'busy');
  });

  test('do so only if they last', () => {
    const at = (end: string) =>
      questionOf({
        hosts: [hostFrom('10:00', '13:00', { blocks: [blockFrom('2027-02-01T02:10:00Z', end)] })],
      });
    assert.equal(reasonOf(at('2027-02-01T02:10:01Z'), '2027-02-01T02:00Z'), 'busy');
    assert.equal(reasonOf(at('2027-02-01T02:10:00Z'), '2027-02-01T02:00Z'), 'bookable');
    assert.equal(reasonOf(at('2027-02-01T01:00:00Z'), '2027-02-01T02:00Z'), 'bookable');
  });
});
