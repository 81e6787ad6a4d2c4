import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { letterOf } from '../../../../shared/sign/pdf/fonts/fonts.ts';
import { linesOf, paragraphsOf } from '../../../../shared/sign/pdf/layout/lines.ts';
import { drawnText, isDrawable, layoutText, runsOf } from '../../../../shared/sign/pdf/layout/text-box.ts';
import { problemOfValue } from '../../../../shared/sign/pdf/problem.ts';
import type { PageGeometry, PlacedField, PlacedValue } from '../../../../shared/sign/pdf/types.ts';

const lines = (text: string, most: number) => linesOf(paragraphsOf(text), most).map((line) => line.text);

describe('letters', () => {
  it('are those of Japan first, then of its neighbours; what joins, stacks or is no letter has none', () => {
    const fonts = [...'A髙﨑①㈱✓𠮷Ж한们'].map((letter) => letterOf(letter)?.font);
    assert.deepEqual(fonts, [...Array(8).fill('japanese'), 'korean', 'chinese']);
    for (const letter of ['😀', 'ا', 'ก', 'क', '\u3099', '\u200b', '\u0007', '\u{e0100}']) {
      assert.equal(letterOf(letter), null, letter);
    }
    assert.deepEqual(letterOf('A'), { font: 'japanese', width: 0.608 });
  });

  it('are composed before they are looked for', () => {
    assert.equal(isDrawable('カ\u3099'), false);
    assert.equal(drawnText('カ\u3099\r\n\tx'), 'ガ\n x');
  });

  it('stand in runs of one font', () => {
    assert.deepEqual(runsOf('朴한국A'), [
      { font: 'japanese', text: '朴', x: 0 },
      { font: 'korean', text: '한국', x: 1 },
      { font: 'japanese', text: 'A', x: 2.84 },
    ]);
  });
});

describe('lines', () => {
  const table: [text: string, most: number, lines: string[]][] = [
    ['', 10, ['']],
    ['一行', 10, ['一行']],
    ['one\n\ntwo', 10, ['one', '', 'two']],
    ['甲と乙は契約する', 3, ['甲と乙', 'は契約', 'する']],
    ['契約する。次', 4, ['契約す', 'る。次']],
    ['これ「契約」', 3, ['これ', '「契', '約」']],
    ['to be or not', 3.2, ['to be', 'or not']],
    ['abcdefgh', 2, ['abc', 'def', 'gh']],
    ['佐藤 花子様', 3, ['佐藤', '花子様']],
  ];
  for (const [text, most, expected] of table) {
    it(`of ${JSON.stringify(text)} in ${most}: ${expected.join(' / ')}`, () => {
      assert.deepEqual(lines(text, most), expected);
    });
  }

  const texts = fc
    .array(fc.constantFrom(...'甲乙、。「」ーAbc de(9)\n한 们'), { maxLength: 60 })
    .map((letters) => letters.join(''));
  it('lose nothing but the spaces at which they break', () => {
    fc.assert(
      fc.property(texts, fc.double({ min: 1, max: 20, noNaN: true }), (text, most) => {
        const bare = (each: string) => each.replaceAll(/\s/g, '');
        assert.equal(bare(lines(text, most).join('')), bare(text));
      }),
    );
  });

  it('stay in their box at the size that they have', () => {
    const sizes = fc.integer({ min: 6, max: 36 });
    const side = fc.integer({ min: 8, max: 300 });
    fc.assert(
      fc.property(texts, side, side, sizes, (text, width, height, size) => {
        const layout = layoutText(text, { width, height }, size);
        if (!layout) return;
        assert.ok(layout.size >= 5 && layout.size <= size);
        for (const { x, y, width: own } of layout.lines) {
          assert.ok(x + own * layout.size <= width + 1e-9);
          assert.ok(y - 0.288 * layout.size >= -1e-9 && y + 1.16 * layout.size <= height + 1e-9);
        }
      }),
    );
  });
});

describe('a value', () => {
  const page: PageGeometry = { crop_box: [0, 0, 600, 800], rotation: 0 };
  const field = (changes: Partial<PlacedField> = {}): PlacedField => ({
    id: 'sfld_1',
    type: 'text',
    page: 1,
    x: 0.1,
    y: 0.1,
    w: 0.2,
    h: 0.02,
    font_size: 10,
    ...changes,
  });
  const long = '業務委託契約書'.repeat(10);
  const table: [PlacedValue | null, Partial<PlacedField>, string | null][] = [
    [null, {}, null],
    ['', {}, null],
    ['佐藤 花子', {}, null],
    [long, {}, 'does_not_fit'],
    [long, { h: 0.2 }, null],
    ['a', { h: 0.009 }, 'does_not_fit'],
    ['よろしく😀', {}, 'bad_characters'],
    [true, {}, null],
    [true, { h: 0.005 }, 'does_not_fit'],
    [false, { h: 0.005 }, null],
    [{ kind: 'typed', text: '佐藤 花子' }, { type: 'signature' }, null],
    [{ kind: 'typed', text: 'ก' }, { type: 'signature' }, 'bad_characters'],
    [{ kind: 'text', text: '佐藤' }, { type: 'stamp', h: 0.05 }, null],
    [{ kind: 'text', text: '佐藤花子' }, { type: 'stamp', h: 0.01 }, 'does_not_fit'],
    [{ kind: 'text', text: '😀' }, { type: 'stamp', h: 0.05 }, 'bad_characters'],
    [{ kind: 'drawn', strokes: [[[0, 0]]] }, { type: 'signature', h: 0.001 }, null],
  ];
  for (const [value, changes, problem] of table) {
    it(`${JSON.stringify(value)?.slice(0, 40)} ${JSON.stringify(changes)}: ${problem}`, () => {
      assert.equal(problemOfValue(field(changes), page, value), problem);
    });
  }

  it('has the width of the page as it is seen', () => {
    const name = 'あいうえおかきくけこさしすせそたちつてと';
    const narrow = { w: 0.2, h: 0.0125 };
    assert.equal(
      problemOfValue(field(narrow), { crop_box: [0, 0, 400, 800], rotation: 0 }, name),
      'does_not_fit',
    );
    assert.equal(problemOfValue(field(narrow), { crop_box: [0, 0, 800, 800], rotation: 90 }, name), null);
  });
});
