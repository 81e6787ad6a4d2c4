import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { minuteOf, type ShapeInput, shapeOf } from '../../../../shared/attendance/schedules/shape.ts';

const span = (text: string) => {
  const [start = '', end = ''] = text.split('-');
  return { start, end };
};
const input = (window: string, breaks: string[] = [], more: Partial<ShapeInput> = {}): ShapeInput => ({
  ...span(window),
  breaks: breaks.map(span),
  ...more,
});

function made(of: ShapeInput) {
  const result = shapeOf(of);
  assert.ok('shape' in result, JSON.stringify(result));
  return result.shape;
}

describe('the times of a day', () => {
  for (const [window, breaks, minutes, half_day] of [
    ['09:00-18:00', ['12:00-13:00'], 480, '12:00-13:00'],
    ['09:00-18:00', [], 540, '13:30-13:30'],
    ['22:00-07:00', ['02:00-03:00'], 480, '02:00-03:00'],
    ['22:00-07:00', [], 540, '02:30-02:30'],
    ['10:00-19:00', ['15:00-15:15', '13:00-13:45'], 480, '13:00-13:45'],
    ['00:00-00:00', ['23:00-00:00'], 1380, '23:00-00:00'],
  ] as const) {
    test(`${window} with ${breaks.length} breaks are for ${minutes} minutes, halves meet at ${half_day}`, () => {
      const shape = made(input(window, [...breaks]));
      assert.equal(shape.minutes, minutes);
      assert.equal(`${shape.half_day.am_end}-${shape.half_day.pm_start}`, half_day);
    });
  }

  for (const [why, wrong, paths] of [
    ['a break before the start', input('09:00-18:00', ['08:30-09:30']), ['/breaks/0']],
    ['a break behind the end', input('09:00-18:00', ['17:30-18:30']), ['/breaks/0']],
    ['breaks that overlap', input('09:00-18:00', ['12:00-13:00', '12:30-12:45']), ['/breaks/1']],
    ['more minutes than there are', input('09:00-18:00', ['12:00-13:00'], { minutes: 481 }), ['/minutes']],
    ['a day of breaks alone', input('09:00-10:00', ['09:00-10:00']), ['/minutes']],
    ['core time outside', input('09:00-18:00', [], { core: span('08:00-12:00') }), ['/core']],
    [
      'halves backwards',
      input('09:00-18:00', [], { half_day: { am_end: '14:00', pm_start: '13:00' } }),
      ['/half_day/pm_start'],
    ],
    [
      'halves outside',
      input('09:00-18:00', [], { half_day: { am_end: '08:00', pm_start: '19:00' } }),
      ['/half_day/am_end', '/half_day/pm_start'],
    ],
  ] as const) {
    test(`are refused for ${why}`, () => {
      const result = shapeOf(wrong);
      assert.ok('faults' in result);
      assert.deepEqual(
        result.faults.map(({ path }) => path),
        paths,
      );
      for (const { path, message } of result.faults) {
        const [, field = ''] = path.split('/');
        assert.ok(message.en.startsWith(`${field} `) && message.ja.startsWith(`${field} `), message.ja);
      }
    });
  }

  test('that are made of pieces in order are taken, and add up', () => {
    const pieces = fc.uniqueArray(fc.integer({ min: 1, max: 1_438 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_439 }), pieces, (start, cuts) => {
        const at = (minute: number) => {
          const inDay = (start + minute) % 1_440;
          return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
        };
        const sorted = [...cuts].sort((one, other) => one - other);
        const breaks = [];
        for (let index = 0; index + 1 < sorted.length; index += 2) {
          breaks.push({
            start: at(sorted[index]!),
            end: at(sorted[index + 1]!),
            minutes: sorted[index + 1]! - sorted[index]!,
          });
        }
        const shape = made({
          start: at(0),
          end: at(1_439),
          breaks: breaks.map(({ start, end }) => ({ start, end })),
        });
        assert.equal(shape.minutes, 1_439 - breaks.reduce((sum, { minutes }) => sum + minutes, 0));
        assert.equal(minuteOf(shape.start), start);
        assert.equal(shape.breaks.length, breaks.length);
      }),
    );
  });
});
