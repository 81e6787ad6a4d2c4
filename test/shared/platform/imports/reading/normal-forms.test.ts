import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { NormalForm } from '../../../../../shared/platform/imports/reading/field.ts';
import * as forms from '../../../../../shared/platform/imports/reading/normal-forms.ts';

const option = forms.optionForm(['A', 'B', 'ｂ2', '大口']);

const tables: [name: string, form: NormalForm, cells: [string, string][]][] = [
  [
    'a phone',
    forms.phoneForm,
    [
      ['０３－１２３４－５６７８', '03-1234-5678'],
      ['03ー1234ー5678', '03-1234-5678'],
      ['03 − 1234 − 5678', '03-1234-5678'],
      ['TEL：03-1234-5678', '03-1234-5678'],
      ['℡03-1234-5678', '03-1234-5678'],
      ['（０３）１２３４－５６７８', '(03)1234-5678'],
      ['03-1234-5678（代）', '03-1234-5678(代)'],
      ['+81 3-1234-5678', '+81 3-1234-5678'],
      ['なし', 'なし'],
    ],
  ],
  [
    'a postal code',
    forms.postalForm,
    [
      ['〒５３０－０００１', '530-0001'],
      ['5300001', '530-0001'],
      ['530ー0001', '530-0001'],
      ['530 0001', '530-0001'],
      ['530-0001', '530-0001'],
      ['53-0001', '53-0001'],
      ['大阪', '大阪'],
    ],
  ],
  [
    'kana',
    forms.wideKana,
    [
      ['ﾔﾏﾀﾞ ﾀﾛｳ', 'ヤマダ タロウ'],
      ['ｶ)ﾔﾏﾓﾄ', 'カ)ヤマモト'],
      ['カﾞ', 'ガ'],
      ['㈱ﾔﾏﾓﾄ', '㈱ヤマモト'],
      ['ＡＢＣ商事', 'ＡＢＣ商事'],
      ['神﨑', '神﨑'],
    ],
  ],
  [
    'a prefecture',
    forms.prefectureForm,
    [
      ['大阪', '大阪府'],
      ['東京', '東京都'],
      ['京都', '京都府'],
      ['北海道', '北海道'],
      ['神奈川　', '神奈川県'],
      ['大阪府', '大阪府'],
      ['Osaka', 'Osaka'],
      ['府中', '府中'],
    ],
  ],
  [
    'an address',
    forms.addressForm,
    [
      ['千代田区\r\n千代田１－１', '千代田区 千代田１－１'],
      ['ﾔﾏﾀﾞﾋﾞﾙ\n5階', 'ヤマダビル 5階'],
      ['千代田1-1', '千代田1-1'],
    ],
  ],
  [
    'an e-mail',
    forms.emailForm,
    [
      ['ｉｎｆｏ＠example.jp', 'info@example.jp'],
      ['info@example.jp', 'info@example.jp'],
    ],
  ],
  [
    'an option',
    option,
    [
      ['Ｂ', 'B'],
      ['a', 'A'],
      ['B2', 'ｂ2'],
      ['大口', '大口'],
      ['中口', '中口'],
    ],
  ],
];

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'０3－ー-〒 　ｶﾞﾟカ大阪府東京\n\r（)TEL:＠aＢb㈱゛') }),
);

describe('normalize makes', () => {
  for (const [name, form, cells] of tables) {
    test(`${name} what is meant`, () => {
      for (const [cell, expected] of cells) assert.equal(form(cell), expected, cell);
    });

    test(`of ${name} nothing else the second time`, () => {
      fc.assert(
        fc.property(texts, (cell) => {
          assert.equal(form(form(cell)), form(cell));
        }),
      );
    });
  }
});
