import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { gramsOf, searchTerm } from '../../../../shared/platform/search/grams.ts';
import { companySearchText, personSearchText, searchText } from '../../../../shared/platform/search/lines.ts';
import { digitsOf, foldCase, normalise } from '../../../../shared/platform/search/normalise.ts';
import { unusualLetters, usualLetters } from '../../../../shared/platform/search/variants.ts';

describe('normalising', () => {
  const table: [string, string][] = [
    ['ヤマダ　タロウ', 'やまだ たろう'],
    ['ﾔﾏﾀﾞ ﾀﾛｳ', 'やまだ たろう'],
    ['ＡＢＣ', 'abc'],
    ['㈱山田', '(株)山田'],
    ['  Anna \t Lee ', 'anna lee'],
    ['ヴァイオリン', 'ゔぁいおりん'],
    ['ラーメン', 'らーめん'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['𠮷野家', '𠮷野家'],
    ['１００％', '100%'],
  ];
  for (const [text, expected] of table) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
      assert.equal(normalise(text), expected);
    });
  }

  it('changes nothing when it is done again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(normalise(normalise(text)), normalise(text));
        assert.equal(foldCase(foldCase(text)), foldCase(text));
      }),
    );
  });

  it('keeps the digits of a phone number alone', () => {
    assert.equal(digitsOf('+81 (0)3-１２３４-5678 内線9'), '81031234' + '56789');
    assert.equal(digitsOf('none'), '');
  });
});

describe('a searched text', () => {
  it('has a person in both orders, in one word, by kana, e-mail and phone digits', () => {
    const text = personSearchText({
      last_name: '山田',
      first_name: '太郎',
      last_name_kana: 'ヤマダ',
      first_name_kana: 'タロウ',
      email: 'Taro@Example.com',
      phone: '03-1234-5678',
    });
    assert.deepEqual(text.split('\n'), [
      '山田 太郎',
      '太郎 山田',
      '山田太郎',
      'やまだ たろう',
      'たろう やまだ',
      'やまだたろう',
      'taro@example.com',
      '0312345678',
    ]);
  });

  it('leaves out what is not there, and does not repeat a line', () => {
    assert.equal(personSearchText({ last_name: '林', first_name: null }), '林');
    assert.equal(companySearchText({ name: 'ヤマダ', name_kana: 'やまだ', email: null }), 'やまだ');
  });
});

describe('a search term', () => {
  it('of one letter asks for that letter', () => {
    assert.deepEqual(searchTerm('林'), {
      grams: ['林'.charCodeAt(0)],
      some: [],
      pattern: '%林%',
      regex: null,
      is_inexact: false,
    });
  });

  it('of two letters asks for that pair', () => {
    assert.equal(searchTerm('田中')?.grams.length, 1);
    assert.equal(searchTerm('田中')?.pattern, '%田中%');
  });

  it('asks for one gram only where that gram tells the whole term', () => {
    assert.equal(searchTerm('aaa')?.grams.length, 2);
    assert.equal(searchTerm('ああああ')?.some.length, 3);
  });

  it('takes %, _ and \\ for letters', () => {
    assert.equal(searchTerm('100%_\\')?.pattern, '%100\\%\\_\\\\%');
  });

  it('that is written like a phone number asks for its digits', () => {
    for (const typed of ['03-1234-5678', '０３（１２３４）５６７８', '03ー1234ー5678', '03 1234 5678']) {
      assert.equal(searchTerm(typed)?.pattern, '%0312345678%', typed);
    }
    assert.equal(searchTerm('2026-04')?.pattern, '%2026-04%');
  });

  it('of spaces alone asks for nothing', () => {
    assert.equal(searchTerm(' 　 '), null);
  });
});

/** Whether a search for `typed` finds a text: by its letters, and by what is LIKE and then matches. */
function finds(typed: string, lines: string[]): boolean {
  const term = searchTerm(typed)!;
  const text = searchText(lines);
  const held = new Set(gramsOf(text));
  const like = [...term.pattern.slice(1, -1).matchAll(/\\(.)|(_)|(.)/gsu)].map(([, escaped, any, own]) =>
    any ? '.' : (escaped ?? own)!.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'),
  );
  const byLetters =
    term.grams.every((gram) => held.has(gram)) &&
    term.some.every((set) => set.some((gram) => held.has(gram)));
  const byText =
    new RegExp(like.join(''), 'u').test(text) &&
    (term.regex === null || new RegExp(term.regex, 'u').test(text));
  if (term.grams.length + term.some.length === 1 && !term.is_inexact) assert.equal(byLetters, byText, typed);
  return byLetters && byText;
}

describe('a search finds names', () => {
  const found: [string, string][] = [
    ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', 'アオゾラショウテン'],
    ['ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ', '㈱アオゾラショウテン'],
    ['ｱｵｿﾞﾗｼﾖｳﾃﾝ(ｶ', 'あおぞらしょうてん'],
    ['ﾕ)ﾔﾏﾓﾄ', '有限会社ヤマモト'],
    ['（ｶ）ﾔﾏﾓﾄ', 'ヤマモト'],
    ['ｶﾌﾞｼｷｶﾞｲｼﾔｱｵｿﾞﾗ', 'アオゾラ'],
    ['株式会社山本製作所', '㈱山本製作所'],
    ['山本製作所（株）', '山本製作所'],
    ['ｽ-ﾊﾟ-ｴﾇ', 'スーパーエヌ'],
    ['スーパー', 'ｽ-ﾊﾟ-'],
    ['ソ゛ウ', 'ゾウ'],
    ['ﾊ ﾟﾝ', 'パン'],
    ['ｷﾔﾂﾄ', 'キャット'],
    ['高橋', '髙橋 健'],
    ['髙橋', '高橋 健'],
    ['渡邊', '渡辺'],
    ['渡邉', '渡邊'],
    ['山﨑', '山崎'],
    ['齋藤', '斉藤'],
    ['吉', '𠮷野家'],
    ['𠮷田', '吉田'],
    ['大吉', '大𠮷'],
    ['株式会社', '株式会社山田'],
    ['(株)', '㈱山田'],
    ['ｶ)', 'カ)ヤマダ'],
    ['a-b@example.jp', 'a-b@example.jp'],
  ];
  for (const [typed, name] of found)
    it(`${typed} finds ${name}`, () => {
      assert.ok(finds(typed, [name]));
    });

  const missed: [string, string][] = [
    ['渡辺', '渡部'],
    ['しよ', 'した'],
    ['山本', '山田本店'],
    ['株式会社', '山田商店'],
    ['a-b', 'aーb'],
    ['吉田', '𠮷野'],
  ];
  for (const [typed, name] of missed)
    it(`${typed} does not find ${name}`, () => {
      assert.ok(!finds(typed, [name]));
    });

  it('in whatever way their letters are written', () => {
    const written: Record<string, string[]> = {
      シ: ['シ', 'ｼ', 'し'],
      ョ: ['ョ', 'ヨ', 'ｮ', 'ﾖ', 'ょ', 'よ'],
      ー: ['ー', 'ｰ', '-'],
      ガ: ['ガ', 'ｶﾞ', 'か゛'],
      高: ['高', '髙'],
      辺: ['辺', '邊', '邉'],
      吉: ['吉', '𠮷'],
      田: ['田'],
    };
    const ways = fc.array(
      fc
        .constantFrom(...Object.keys(written))
        .chain((letter) =>
          fc.tuple(fc.constantFrom(...written[letter]!), fc.constantFrom(...written[letter]!)),
        ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(ways, (all) => {
        const typed = `シ${all.map(([one]) => one).join('')}`;
        const name = `シ${all.map(([, other]) => other).join('')}`;
        // A hyphen is a long vowel behind kana alone.
        if (/[^シｼしョヨｮﾖょよーｰガｶﾞか゛-]-/u.test(`${typed} ${name}`)) return;
        assert.ok(finds(typed, [`山本${name}本店`]), `${typed} ${name}`);
      }),
    );
  });
});

describe('grams', () => {
  it('of several lines hold no pair across two lines', () => {
    assert.deepEqual(gramsOf('a\nb'), [97, 98]);
    assert.deepEqual(gramsOf('ab'), [97, 98, (97 << 16) | 98]);
  });

  it('fit the integers of the database, and each is there once, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const grams = gramsOf(normalise(text));
        for (const gram of grams) assert.equal(gram, gram | 0);
        assert.deepEqual(
          grams,
          [...new Set(grams)].sort((left, right) => left - right),
        );
      }),
    );
  });

  it('of a text hold all grams of any term that is part of one of its lines', () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom(...'あいアイabAB林田中𠮷 %_-') }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(), (all, from, length) => {
        const text = searchText(all);
        const [line = ''] = text.split('\n').slice(from % 4);
        const letters = [...line];
        const part = letters.slice(from % (letters.length + 1)).slice(0, length % 6);
        const term = searchTerm(part.join(''));
        if (!term) return;
        const held = new Set(gramsOf(text));
        for (const gram of term.grams) assert.ok(held.has(gram));
        for (const some of term.some) assert.ok(some.some((gram) => held.has(gram)));
      }),
    );
  });
});

describe('letters that are usually written otherwise', () => {
  it('have as many usual ones, which a search takes for them', () => {
    const { others, usual } = unusualLetters;
    const one = (letter: string) => usualLetters(letter === '-' ? 'コ-' : letter).replace(/^コ/, '');
    assert.equal([...others].map(one).join(''), usual);
    assert.equal([...others].length, [...usual].length);
  });
});
