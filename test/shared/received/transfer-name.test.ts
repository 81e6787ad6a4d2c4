import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { transferName } from '../../../shared/received/transfer-file/kana.ts';

const table: [name: string, written: string | null][] = [
  ['ヤマダショウジ（カ', 'ﾔﾏﾀﾞｼﾖｳｼﾞ(ｶ'],
  ['ﾔﾏﾀﾞｼｮｳｼﾞ(ｶ', 'ﾔﾏﾀﾞｼﾖｳｼﾞ(ｶ'],
  ['やまだしょうじ', 'ﾔﾏﾀﾞｼﾖｳｼﾞ'],
  ['アァイィウゥエェオォ', 'ｱｱｲｲｳｳｴｴｵｵ'],
  ['ツッヤャユュヨョワヮ', 'ﾂﾂﾔﾔﾕﾕﾖﾖﾜﾜ'],
  ['カヵケヶ', 'ｶｶｹｹ'],
  ['ガギグゲゴヴ', 'ｶﾞｷﾞｸﾞｹﾞｺﾞｳﾞ'],
  ['パピプペポ', 'ﾊﾟﾋﾟﾌﾟﾍﾟﾎﾟ'],
  ['ハ゛ハ゜', 'ﾊﾞﾊﾟ'],
  ['ヲンヱ', null],
  ['ヲン', 'ｦﾝ'],
  ['コーヒー', 'ｺ-ﾋ-'],
  ['ｺｰﾋｰ', 'ｺ-ﾋ-'],
  ['ＡＢＣ　１２３', 'ABC 123'],
  ['カ）アオバ', 'ｶ)ｱｵﾊﾞ'],
  ['「ア」', '｢ｱ｣'],
  ['（）－．／，￥', '()-./,\\'],
  ['  アオバ  ', 'ｱｵﾊﾞ'],
  ['', ''],
  ['　', ''],
  ['山田商事', null],
  ['㈱ヤマダ', null],
  ['Aoba', null],
  ['ア・オ', null],
  ['ア、オ。', null],
  ['ア＆オ', null],
  ["ア'オ", null],
  ['ア\nオ', null],
  ['ア\u0000', null],
  ['É', null],
  ['😀', null],
];

describe('a name in a transfer file', () => {
  for (const [name, written] of table) {
    it(`of ${JSON.stringify(name)} is ${JSON.stringify(written)}`, () => {
      assert.equal(transferName(name), written);
    });
  }

  it('is written as it is once more', () => {
    const kana = fc.string({ unit: fc.constantFrom(...'アガパーッヤ（）＼ A9ー゛「-'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(kana, fc.string({ unit: 'binary' })), (name) => {
        const written = transferName(name);
        if (written === null) return;
        assert.equal(transferName(written), written);
        assert.match(written, /^[0-9A-Z\uff62\uff63\uff66-\uff9f ()\-./,\\]*$/);
      }),
    );
  });
});
