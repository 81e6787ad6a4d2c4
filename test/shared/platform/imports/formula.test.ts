import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { guardFormula, unguardFormula } from '../../../../shared/platform/imports/formula.ts';

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
