import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseBreaks, parseDay, parseTime } from '../../../shared/attendance/imports/cells.ts';
import { instantAt } from '../../../shared/attendance/imports/days.ts';
import { zoneOf } from '../../../shared/kernel/local-time.ts';

const two = (number: number) => String(number).padStart(2, '0');
const wide = (text: string) =>
  text.replaceAll(/[0-9:]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

/** The forms in which programs write a time, each with what it means. */
const written = fc.integer({ min: 0, max: 2 * 1_440 - 1 }).chain((minute) => {
  const [hours, rest] = [Math.floor(minute / 60), minute % 60];
  const next = hours >= 24 ? [`翌${hours - 24}:${two(rest)}`, `翌${two(hours - 24)}時${rest}分`] : [];
  const forms = [
    `${hours}:${two(rest)}`,
    `${two(hours)}:${two(rest)}`,
    `${hours}:${two(rest)}:00`,
    `${hours}時${rest}分`,
    wide(`${hours}:${two(rest)}`),
    ...next,
  ];
  return fc.constantFrom(...forms).map((cell) => ({ cell, minute }));
});

describe('cells of a file of days', () => {
  test('say every time to 47:59 in the forms of programs, alone and in breaks', () => {
    fc.assert(
      fc.property(written, ({ cell, minute }) => {
        assert.deepEqual(parseTime(cell), { value: minute * 60 });
      }),
    );
    const to = fc.constantFrom('-', '～', '〜', '~', ' - ', '－');
    fc.assert(
      fc.property(fc.array(fc.tuple(written, to, written), { minLength: 1, maxLength: 5 }), (breaks) => {
        const cell = breaks.map(([from, sign, end]) => `${from.cell}${sign}${end.cell}`).join('；');
        const value = breaks.map(([from, , end]) => [from.minute * 60, end.minute * 60]);
        assert.deepEqual(parseBreaks(cell), { value: value.toSorted(([one], [other]) => one! - other!) });
      }),
    );
  });

  test('are faulty for what is no time, no break and no day, whatever it is', () => {
    for (const cell of ['48:00', '9:60', '9', '900', '-1:00', '翌24:00', '9:00 AM', '9:00:60', 'x'])
      assert.deepEqual(parseTime(cell), { fault: 'invalid_time' }, cell);
    for (const cell of ['1:00', '12:00-', '12:00-13:00-14:00', '12:00-48:00', '60'])
      assert.deepEqual(parseBreaks(cell), { fault: 'invalid_time' }, cell);
    for (const cell of ['11/2', '2026-02-30', '20261301', '2026', '2026-11-02 9:00', '46000'])
      assert.deepEqual(parseDay(cell), { fault: 'unknown_day' }, cell);
    fc.assert(
      fc.property(fc.string(), (cell) => {
        for (const parse of [parseTime, parseBreaks, parseDay]) {
          const parsed = parse(cell);
          assert.ok('fault' in parsed || parsed.value !== undefined);
        }
      }),
    );
  });

  test('say a day in the forms of programs', () => {
    const cells = [
      '2026-11-02',
      '2026/11/2',
      '2026/11/02(月)',
      '2026年11月2日',
      '20261102',
      '2026/11/2 0:00',
    ];
    for (const cell of [...cells, '２０２６/１１/２'])
      assert.deepEqual(parseDay(cell), { value: '2026-11-02' }, cell);
  });

  test('are read on the clock of the zone: beyond midnight, twice and never', () => {
    const at = (date: string, seconds: number) => instantAt(zoneOf('America/New_York'), date, seconds);
    const hours = (count: number) => count * 3_600;
    assert.equal(at('2026-10-31', hours(25.5)), '2026-11-01T05:30:00.000Z');
    assert.equal(at('2026-10-31', hours(27)), '2026-11-01T08:00:00.000Z');
    assert.equal(at('2026-03-08', hours(2.5)), '2026-03-08T07:30:00.000Z');
    assert.equal(at('2026-11-02', hours(9) + 35), '2026-11-02T14:00:35.000Z');
    const tokyo = zoneOf('Asia/Tokyo');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * 86_400 - 1 }), (seconds) => {
        const plain = Date.parse('2026-11-02T00:00:00+09:00') + seconds * 1_000;
        assert.equal(Date.parse(instantAt(tokyo, '2026-11-02', seconds)), plain);
      }),
    );
  });
});
