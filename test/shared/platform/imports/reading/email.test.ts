import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emailOf, isLikeEmail } from '../../../../../shared/platform/imports/reading/email.ts';

describe('a cell is an e-mail', () => {
  test('by the rule of browsers, in full-width letters too', () => {
    const longest = `${'a'.repeat(246)}@b.co.jp`;
    const cells: [string, string][] = [
      [' Hanako.Yamada+x@Example.co.jp ', 'Hanako.Yamada+x@Example.co.jp'],
      ['ｈａｎａｋｏ＠ｅｘａｍｐｌｅ．ｊｐ', 'hanako@example.jp'],
      ['\u3000\ufeffroot@localhost', 'root@localhost'],
      [longest, longest],
    ];
    for (const [cell, value] of cells) assert.deepEqual(emailOf(cell), { value }, cell);
  });

  test('and else is none', () => {
    const cells = ['a b@example.jp', 'a@x.jp, b@x.jp', 'a@-x.jp', '山田@x.jp', `${'a'.repeat(247)}@b.co.jp`];
    for (const cell of cells) assert.deepEqual(emailOf(cell), { fault: 'invalid_email' }, cell);
  });

  test('that shows what its column holds when its domain has a dot', () => {
    assert.deepEqual(['a@b.jp', 'a@b', 'a.b'].map(isLikeEmail), [true, false, false]);
  });
});
