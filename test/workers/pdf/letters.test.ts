import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withCommonLetters } from '../../../workers/pdf/font-letters.ts';
import { commonLetter, inCommonLetters } from '../../../workers/pdf/letters.ts';

describe('letters that look the same', () => {
  for (const [rare, common] of [
    ['⽇', '日'],
    ['⼀', '一'],
    ['⿕', '龠'],
    ['⻘', '青'],
    ['⻑', '長'],
    ['⺟', '母'],
    ['‧', '・'],
    ['∕', '／'],
  ] as const) {
    test(`${rare} is written ${common}`, () => assert.equal(commonLetter(rare), common));
  }

  test('others stay, whatever plane they are of', () => {
    const text = '髙﨑𠮷野家①㈱ｶﾞ🍣 Abc-1 〜～';
    assert.equal(inCommonLetters(text), text);
  });

  test('a text is written in common letters', () => {
    assert.equal(inCommonLetters('⻘⽊‧⼭⽥'), '青木・山田');
  });

  test('no radical of the Kangxi block is left', () => {
    for (let code = 0x2f00; code <= 0x2fd5; code += 1) {
      const common = commonLetter(String.fromCodePoint(code));
      assert.equal([...common].length, 1);
      assert.ok(common.codePointAt(0)! >= 0x3400, common);
    }
  });
});

describe('a font', () => {
  const path = '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf';
  const font = readFileSync(fileURLToPath(import.meta.resolve(path)));

  test('is the same but for its table of letters', () => {
    const patched = withCommonLetters(font);
    assert.equal(patched.length, font.length);
    const differing =
      patched.findLastIndex((byte, at) => byte !== font[at]) -
      patched.findIndex((byte, at) => byte !== font[at]);
    assert.ok(differing > 0 && differing < 400_000, `${differing} bytes`);
  });

  test('stays as it is once it has common letters alone', () => {
    const once = withCommonLetters(font);
    assert.ok(withCommonLetters(once).equals(once));
  });

  test('without a table of letters is refused', () => {
    assert.throws(() => withCommonLetters(Buffer.alloc(64)), /no table of letters/);
  });
});
