import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { guardFormula, unguardFormula } from '../../../../shared/imports/formula.ts';
import type { Parsed } from '../../../../shared/imports/reading/field.ts';
import {
  choiceOf,
  dayOf,
  decimalOf,
  emailOf,
  integerOf,
  isLikeEmail,
  phoneOf,
  textOf,
} from '../../../../shared/imports/reading/parsers.ts';

/** Cells with what must come of them: a value, or a fault in a list of its own. */
function parses(parse: (cell: string) => Parsed, cells: [string, unknown | [string]][]) {
  for (const [cell, expected] of cells) {
    const parsed = Array.isArray(expected) ? { fault: expected[0] } : { value: expected };
    assert.deepEqual(parse(cell), parsed, JSON.stringify(cell));
  }
}

describe('a cell becomes', () => {
  test('text without spaces around it', () => {
    parses(textOf(3), [
      ['　山田 ', '山田'],
      ['髙﨑ﾔ', '髙﨑ﾔ'],
      ['abcd', ['too_long']],
    ]);
  });

  test('an e-mail, full-width letters too', () => {
    parses(emailOf, [
      [' Hanako.Yamada+x@Example.co.jp ', 'Hanako.Yamada+x@Example.co.jp'],
      ['ｈａｎａｋｏ＠ｅｘａｍｐｌｅ．ｊｐ', 'hanako@example.jp'],
      ['root@localhost', 'root@localhost'],
      ['a b@example.jp', ['invalid_email']],
      ['a@example.jp, b@example.jp', ['invalid_email']],
      ['a@-example.jp', ['invalid_email']],
      ['山田@example.jp', ['invalid_email']],
      [`${'a'.repeat(246)}@b.co.jp`, `${'a'.repeat(246)}@b.co.jp`],
      [`${'a'.repeat(247)}@b.co.jp`, ['invalid_email']],
    ]);
    assert.deepEqual(['a@b.jp', 'a@b', 'a.b'].map(isLikeEmail), [true, false, false]);
  });

  test('a phone number in ASCII', () => {
    parses(phoneOf, [
      ['０３－１２３４－５６７８', '03-1234-5678'],
      ['+81 (3) 1234 5678', '+81 (3) 1234 5678'],
      ['0'.repeat(51), ['too_long']],
    ]);
  });

  test('a whole number', () => {
    parses(integerOf(-10, 2_000_000), [
      ['１２３', 123],
      ['¥1,234,567', 1_234_567],
      ['1,200円', 1200],
      ['-007', -7],
      ['3.0', 3],
      ['3.5', ['invalid_number']],
      ['12,34', ['invalid_number']],
      ['1e3', ['invalid_number']],
      ['十', ['invalid_number']],
      ['2000001', ['out_of_range']],
    ]);
  });

  test('an exact decimal', () => {
    parses(decimalOf, [
      ['￥1,234.50', '1234.50'],
      ['−0.1', '-0.1'],
      ['1'.repeat(41), ['invalid_number']],
      ['.5', ['invalid_number']],
    ]);
  });

  test('a day', () => {
    parses(dayOf, [
      ['2026-04-01', '2026-04-01'],
      ['2026/4/1', '2026-04-01'],
      ['２０２６年４月１日', '2026-04-01'],
      ['20260401', '2026-04-01'],
      ['令和8年4月1日', '2026-04-01'],
      ['令和元年5月1日', '2019-05-01'],
      ['R8.4.1', '2026-04-01'],
      ['S64/1/7', '1989-01-07'],
      ['2026-02-29', ['invalid_date']],
      ['4/1/2026', ['invalid_date']],
      ['0000-01-01', ['invalid_date']],
      ['明日', ['invalid_date']],
    ]);
  });

  test('one of a few values', () => {
    parses(choiceOf({ active: ['有効', 'on'], bounced: [] }), [
      ['有効 ', 'active'],
      ['ＯＮ', 'active'],
      ['Bounced', 'bounced'],
      ['x', ['invalid_choice']],
    ]);
  });
});

describe('a guarded cell', () => {
  const start = fc.constantFrom('', "'", '=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', 'a', '"');

  test('comes back as it was, and never begins like a formula', () => {
    fc.assert(
      fc.property(fc.array(start, { maxLength: 4 }), fc.string(), (parts, rest) => {
        const text = parts.join('') + rest;
        assert.equal(unguardFormula(guardFormula(text)), text);
        assert.doesNotMatch(guardFormula(text), /^[=+\-@\t\r＝＋－＠]/);
      }),
    );
  });

  test('gets an apostrophe only where it needs one', () => {
    const cells = ['=1+1', '＋81', "'=x", "O'Hara", "'quoted'", '1-2', ''];
    assert.deepEqual(cells.map(guardFormula), ["'=1+1", "'＋81", "''=x", "O'Hara", "'quoted'", '1-2', '']);
  });
});
