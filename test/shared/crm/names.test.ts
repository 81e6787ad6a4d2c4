import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { companyNameKey, personSortName, sortName } from '../../../shared/crm/names.ts';
import { fullName } from '../../../shared/kernel/full-name.ts';

describe('a full name', () => {
  const table: [string, string, string][] = [
    ['太郎', '山田', '山田 太郎'],
    ['Taro', '山田', '山田 Taro'],
    ['たろう', 'Yamada', 'Yamada たろう'],
    ['ﾀﾛｳ', 'Yamada', 'Yamada ﾀﾛｳ'],
    ['민수', '김', '김 민수'],
    ['Taro', 'Yamada', 'Taro Yamada'],
    ['Élodie', "O'Brien", "Élodie O'Brien"],
    ['家', '𠮷', '𠮷 家'],
    ['Kim', '佐々木', '佐々木 Kim'],
  ];
  for (const [first_name, last_name, expected] of table) {
    it(`of ${last_name}, ${first_name} is ${expected}`, () => {
      assert.equal(fullName({ first_name, last_name }), expected);
    });
  }
});

describe('the name that is sorted by', () => {
  it('is the kana where there is one, folded to hiragana', () => {
    const yamada = { first_name: '太郎', last_name: '山田' };
    assert.equal(personSortName(yamada), '山田 太郎');
    assert.equal(personSortName({ ...yamada, last_name_kana: 'ヤマダ' }), 'やまだ 太郎');
    assert.equal(
      personSortName({ ...yamada, last_name_kana: 'ﾔﾏﾀﾞ', first_name_kana: 'タロウ' }),
      'やまだ たろう',
    );
    assert.equal(
      personSortName({ first_name: 'Taro', last_name: 'YAMADA', first_name_kana: null }),
      'taro yamada',
    );
    assert.equal(sortName({ name: '株式会社山田', name_kana: 'ヤマダ' }), 'やまだ');
    assert.equal(sortName({ name: 'ＡＢＣ' }), 'abc');
  });

  it('puts kana in the order of the syllables', () => {
    const names = ['ワダ', 'あおき', 'カトウ', 'がもう', 'サトウ', 'いとう'];
    const sorted = names.map((name_kana) => sortName({ name: 'x', name_kana })).sort();
    assert.deepEqual(sorted, ['あおき', 'いとう', 'かとう', 'がもう', 'さとう', 'わだ']);
  });
});

describe('the key of a company name', () => {
  const same = [
    '株式会社山田商店',
    '山田商店㈱',
    '(株)山田商店',
    '（株） 山田　商店',
    '山田商店 株式会社',
    '有限会社山田商店',
  ];
  for (const name of same) {
    it(`of ${name} is that of 山田商店`, () => assert.equal(companyNameKey(name), '山田商店'));
  }

  it('folds case, width and kana', () => {
    assert.equal(companyNameKey('ＡＢＣ Trading'), companyNameKey('abc trading'));
    assert.equal(companyNameKey('ｶﾌﾞ ヤマダ'), 'かぶやまだ');
  });

  it('is never empty for a name that is not', () => {
    assert.equal(companyNameKey('株式会社'), '株式会社');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'株式会社有限()㈱ a　') }), (name) => {
        assert.equal(companyNameKey(name) === '', name.trim() === '');
      }),
    );
  });
});
