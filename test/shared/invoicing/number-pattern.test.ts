import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  formatNumber,
  type Numbering,
  type NumberReset,
  numberParts,
  numberResets,
  patternFault,
  periodOf,
} from '../../../shared/invoicing/number-pattern.ts';

function numberOf(numbering: Numbering, issue_date: string, sequence: number): string {
  return formatNumber(numberParts(numbering, issue_date), sequence);
}

describe('the number of a document', () => {
  const table: [string, NumberReset, number, string, number, string, string][] = [
    ['INV-{YYYY}-{SEQ:4}', 'year', 1, '2026-04-01', 42, 'INV-2026-0042', '2026'],
    ['INV-{YYYY}-{SEQ:4}', 'year', 4, '2026-03-31', 1, 'INV-2026-0001', '2026'],
    ['INV-{YYYY}-{SEQ:4}', 'fiscal_year', 4, '2026-03-31', 1, 'INV-2025-0001', '2025'],
    ['INV-{YYYY}-{SEQ:4}', 'fiscal_year', 4, '2026-04-01', 1, 'INV-2026-0001', '2026'],
    ['{YY}{MM}-{SEQ:3}', 'month', 1, '2026-12-31', 7, '2612-007', '2026-12'],
    ['見積{SEQ:1}号', 'never', 1, '2026-12-31', 123, '見積123号', 'all'],
    ['{YYYY}/{SEQ:4}', 'year', 1, '2026-04-01', 1, '2026/0001', '2026'],
    ['見積/{YY}/{MM}/{SEQ:3}', 'month', 1, '2026-12-31', 7, '見積/26/12/007', '2026-12'],
    ['Q{SEQ:2}', 'never', 1, '2026-12-31', 12_345, 'Q12345', 'all'],
  ];
  for (const [pattern, reset, fiscal_year_start_month, day, sequence, number, period] of table) {
    it(`of ${pattern}, reset ${reset}, on ${day} is ${number}`, () => {
      const numbering: Numbering = { pattern, reset, fiscal_year_start_month };
      assert.equal(patternFault(pattern, reset), null);
      assert.equal(numberOf(numbering, day, sequence), number);
      assert.equal(periodOf(day, numbering), period);
    });
  }

  it('is another one for another day of another period, or another sequence', () => {
    const day = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2089-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const drawn = fc.tuple(day, fc.integer({ min: 1, max: 99_999 }));
    const start = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...numberResets), start, drawn, drawn, (reset, month, one, other) => {
        const numbering = { pattern: 'D{YYYY}{MM}-{SEQ:4}', reset, fiscal_year_start_month: month };
        const isSameNumber = numberOf(numbering, ...one) === numberOf(numbering, ...other);
        const isSamePlace =
          periodOf(one[0], numbering) === periodOf(other[0], numbering) && one[1] === other[1];
        if (isSameNumber) assert.ok(isSamePlace);
      }),
    );
  });
});

describe('a pattern is refused', () => {
  const table: [string, NumberReset, string, RegExp][] = [
    ['INV-{YYYY}', 'year', 'invalid_pattern', /exactly once/],
    ['{SEQ:4}{SEQ:4}', 'never', 'invalid_pattern', /exactly once/],
    ['{SEQ:0}', 'never', 'invalid_pattern', /SEQ:0/],
    ['{SEQ:11}', 'never', 'invalid_pattern', /SEQ:11/],
    ['{DD}-{SEQ:4}', 'never', 'invalid_pattern', /\{DD\} is unknown/],
    ['a\\b{SEQ:4}', 'never', 'invalid_pattern', /letters, digits/],
    ['a\r\nb{SEQ:4}', 'never', 'invalid_pattern', /letters, digits/],
    ['{SEQ:4', 'never', 'invalid_pattern', /exactly once/],
    ['INV-{SEQ:4}', 'year', 'pattern_lacks_period', /each year/],
    ['INV-{MM}{SEQ:4}', 'fiscal_year', 'pattern_lacks_period', /each year/],
    ['INV-{YYYY}-{SEQ:4}', 'month', 'pattern_lacks_period', /each month/],
    ['INV-{MM}-{SEQ:4}', 'month', 'pattern_lacks_period', /each month/],
  ];
  for (const [pattern, reset, code, message] of table) {
    it(`${JSON.stringify(pattern)} with reset ${reset}: ${code}`, () => {
      const fault = patternFault(pattern, reset);
      assert.equal(fault?.code, code);
      assert.match(fault!.message.en, message);
    });
  }
});
