import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Block } from '../../../../shared/scheduler/slots/types.ts';
import {
  blockFrom,
  clockStarts,
  hostFrom,
  instantStarts,
  questionOf,
} from '../../../support/slot-questions.ts';

const DAY = '2027-02-01';

describe('the starts that the rules are explained by', () => {
  const forty = { duration_minutes: 40 };
  const buffered = { duration_minutes: 20, buffer_before_minutes: 10, buffer_after_minutes: 5 };
  const noon = (changes: Partial<Block>) => [
    hostFrom('11:00', '14:00', { blocks: [blockFrom('2027-02-01T03:00Z', '2027-02-01T03:30Z', changes)] }),
  ];

  test('40 minutes are offered at multiples of 20', () => {
    const question = questionOf({ event_type: forty });
    assert.deepEqual(clockStarts(question, DAY), ['10:00', '10:40', '11:20', '12:00']);
  });

  test('an event between them moves the rest', () => {
    const blocks = [blockFrom('2027-02-01T01:50Z', '2027-02-01T02:05Z')];
    const question = questionOf({ event_type: forty, hosts: [hostFrom('10:00', '13:00', { blocks })] });
    assert.deepEqual(clockStarts(question, DAY), ['10:00', '11:20', '12:00']);
  });

  test('two members are asked for together', () => {
    const question = questionOf({
      event_type: forty,
      hosts: [hostFrom('10:00', '13:00'), hostFrom('10:30', '12:30')],
    });
    assert.deepEqual(clockStarts(question, DAY), ['10:40', '11:20']);
  });

  test('the buffers of both sides add up', () => {
    const own = { kind: 'booking', buffer_before_minutes: 10, buffer_after_minutes: 5 } as const;
    const question = questionOf({ event_type: buffered, hosts: noon(own) });
    assert.deepEqual(clockStarts(question, DAY), ['11:00', '11:20', '13:00', '13:20', '13:40']);
  });

  test('an external event has none of its own', () => {
    const question = questionOf({ event_type: buffered, hosts: noon({}) });
    assert.deepEqual(clockStarts(question, DAY), ['11:00', '11:20', '12:40', '13:00', '13:20', '13:40']);
  });

  test('the hour that a clock change repeats is offered twice', () => {
    const question = questionOf({
      now: '2027-10-01T00:00Z',
      event_type: { time_zone: 'Europe/Paris' },
      hosts: [hostFrom('01:30', '03:00', { time_zone: 'Europe/Paris' })],
    });
    assert.deepEqual(instantStarts(question, '2027-10-30T22:00Z', '2027-10-31T23:00Z'), [
      '2027-10-30T23:30Z',
      '2027-10-31T00:00Z',
      '2027-10-31T00:30Z',
      '2027-10-31T01:00Z',
      '2027-10-31T01:30Z',
    ]);
  });

  test('a day begins with the first minute after the notice', () => {
    const question = questionOf({
      now: '2027-02-01T00:12:30Z',
      event_type: { duration_minutes: 25, min_notice_minutes: 40 },
      hosts: [hostFrom('09:00', '12:00')],
    });
    assert.deepEqual(clockStarts(question, DAY), ['09:55', '10:20', '10:45', '11:10', '11:35']);
  });
});
