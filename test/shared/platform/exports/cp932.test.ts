import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cp932Encoder } from '../../../../shared/platform/exports/cp932.ts';

/** The runtime's own decoder, which shares nothing with the encoder's table. */
const decoder = new TextDecoder('shift_jis', { fatal: true });

function encoded(text: string, cut = Number.POSITIVE_INFINITY): { bytes: Buffer; replaced: number } {
  const encoder = cp932Encoder();
  const utf8 = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < utf8.length; at += cut) parts.push(encoder.take(utf8.subarray(at, at + cut)));
  parts.push(encoder.end());
  return { bytes: Buffer.concat(parts), replaced: encoder.replaced() };
}

const written = (text: string) => decoder.decode(encoded(text).bytes);

describe('what CP932 has', () => {
  for (const text of [
    'ABC abc 0-9 ~\\',
    '山田 花子、東京都千代田区',
    'ｶﾀｶﾅ ｡｢｣',
    '髙﨑 ①②③ ㈱ № ℡ Ⅳ ⅳ ∵',
    'ソ表十貼能',
    '～－∥―￠￡￢￤￥￣',
  ]) {
    test(text, () => {
      const { bytes, replaced } = encoded(text);
      assert.equal(decoder.decode(bytes), text);
      assert.equal(replaced, 0);
    });
  }

  test('髙 and ① as Windows writes them, of the places that they have', () => {
    assert.equal(encoded('髙①Ⅰⅰ∵').bytes.toString('hex'), 'fbfc87408754fa4081e6');
  });

  test('every letter that is not counted is read back as it was, or as its twin', () => {
    for (let point = 0x20; point < 0xffff; point += 1) {
      if (point === 0x7f || (point >= 0xd800 && point <= 0xf8ff)) continue;
      const letter = String.fromCharCode(point);
      const { bytes, replaced } = encoded(letter);
      const back = decoder.decode(bytes);
      if (replaced > 0) assert.equal(back, '〓', point.toString(16));
      else assert.equal(twin(back), twin(letter), point.toString(16));
    }
  });
});

describe('letters that CP932 knows by another number', () => {
  for (const [text, shown] of [
    ['10〜20', '10～20'],
    ['−5', '－5'],
    ['‖', '∥'],
    ['—', '―'],
    ['¢£¬¦¥‾', '￠￡￢￤￥￣'],
    ['a\u00a0b', 'a b'],
    ['か\u3099は\u309aカ\u3099ウ\u3099', 'がぱガヴ'],
  ]) {
    test(`${text} becomes ${shown}`, () => {
      assert.equal(written(text!), shown);
      assert.equal(encoded(text!).replaced, 0);
    });
  }
});

describe('letters that CP932 lacks', () => {
  for (const [text, shown, replaced] of [
    ['é', '〓', 1],
    ['𠮷野家', '〓野家', 1],
    ['😀😀', '〓〓', 2],
    ['あ\u3099', 'あ〓', 1],
    ['〓', '〓', 0],
    ['\u0080', '〓', 1],
  ] as const) {
    test(`${text} becomes ${shown}, and ${replaced} are counted`, () => {
      assert.equal(written(text), shown);
      assert.equal(encoded(text).replaced, replaced);
    });
  }
});

test('wherever a text is cut into parts, the bytes and the count are the same', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', 'か', '\u3099', '〜', '髙', '𠮷', '"', '\n') });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (written, cut) => {
      assert.deepEqual(encoded(written, cut), encoded(written));
    }),
  );
});

const TWINS = [...'～〜－−∥‖―—￠¢￡£￢¬￤¦￥¥￣‾‐‑ \u00a0'];

function twin(letter: string): string {
  const place = TWINS.indexOf(letter);
  return place < 0 ? letter : TWINS[place - (place % 2)]!;
}
