import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printed as print, reduced, standard } from '../../support/prints/story.ts';

describe('tax', () => {
  test('lines of the reduced rate have a mark, and the mark is explained', () => {
    const { lines, legend } = print('invoice', { lines: [reduced, standard] });
    assert.deepEqual(
      lines.map(({ mark }) => mark),
      ['※', ''],
    );
    assert.equal(legend, '※は軽減税率対象');
    const english = print('invoice', { lines: [reduced] }, { settings: { locale: 'en' } });
    assert.deepEqual([english.lines[0]?.mark, english.legend], ['*', '* Reduced tax rate']);
  });

  test('without such lines nothing is explained', () => {
    assert.equal(print('invoice', { lines: [standard] }).legend, null);
  });

  test('every category has its name', () => {
    const categories = ['standard', 'reduced', 'legacy_8', 'zero_rated', 'exempt', 'out_of_scope'] as const;
    const lines = categories.map((category) => ({ description: category, price: '100', category }));
    const japanese = print('invoice', { lines });
    assert.deepEqual(
      japanese.lines.map(({ rate }) => rate),
      ['10%', '8%', '旧8%', '免税', '非課税', '不課税'],
    );
    assert.deepEqual(
      japanese.sums?.breakdown.map(({ label }) => label),
      ['10%対象', '8%対象※', '旧8%対象', '免税', '非課税', '不課税'],
    );
    const english = print('invoice', { lines }, { settings: { locale: 'en' } });
    assert.deepEqual(
      english.lines.map(({ rate }) => rate),
      ['10%', '8%', '8% (former)', 'Zero-rated', 'Exempt', 'No tax'],
    );
    assert.deepEqual(
      english.sums?.breakdown.map(({ label }) => label),
      ['10%', '8% *', '8% (former)', 'Zero-rated', 'Exempt', 'No tax'],
    );
  });

  test('the sum and the tax of every rate stand on the page', () => {
    const { sums } = print('invoice', { lines: [reduced, standard] });
    assert.deepEqual(sums?.breakdown, [
      { label: '10%対象', net: '¥6,600', tax: '¥660', gross: '¥7,260' },
      { label: '8%対象※', net: '¥1,881', tax: '¥150', gross: '¥2,031' },
    ]);
    assert.deepEqual(
      sums?.rows.map(({ label, value, strong }) => [label, value, strong]),
      [
        ['小計（税抜）', '¥8,481', false],
        ['消費税', '¥810', false],
        ['合計（税込）', '¥9,291', true],
      ],
    );
  });

  test('the column says whether amounts are with tax', () => {
    assert.equal(print('invoice', {}).columns.amount, '金額（税抜）');
    assert.equal(print('invoice', { tax_display_mode: 'inclusive' }).columns.amount, '金額（税込）');
  });

  test('what is left after withholding is nothing to be paid on a credit note', () => {
    const lines = [{ description: '顧問料', price: '300000', withholding: true }];
    const note = print('credit_note', { lines, withholding_mode: 'net' }, { settings: { locale: 'en' } });
    assert.deepEqual(
      note.sums?.rows.slice(-2).map(({ label }) => label),
      ['Withholding tax', 'Net amount'],
    );
  });

  test('what is withheld stands below the total, and what is left is the sum that matters', () => {
    const lines = [{ description: '顧問料', price: '300000', withholding: true }];
    const { sums, headline } = print('invoice', { lines, withholding_mode: 'net' });
    assert.deepEqual(sums?.rows.slice(2), [
      { label: '合計（税込）', value: '¥330,000', strong: false },
      { label: '源泉徴収税額', value: '▲¥30,630', strong: false },
      { label: '差引金額', value: '¥299,370', strong: true },
    ]);
    assert.deepEqual(headline, { label: 'ご請求金額', value: '¥299,370', note: '税込・源泉徴収後' });
  });
});

describe('an issuer without a registration number', () => {
  for (const kind of ['quotation', 'invoice', 'delivery_note', 'purchase_order', 'credit_note'] as const) {
    for (const locale of ['ja', 'en'] as const) {
      test(`claims nothing on ${kind} in ${locale}`, () => {
        const page = print(kind, { issuer_registration_number: null }, { settings: { locale } });
        const { registration, ...issuer } = page.issuer;
        assert.equal(registration, null);
        assert.doesNotMatch(
          JSON.stringify({ ...page, issuer }),
          /適格|Qualified|登録番号|Registration|T\d{13}/i,
        );
      });
    }
  }

  test('one with a number shows it, and its credit notes are qualified', () => {
    assert.deepEqual(print('invoice', {}).issuer.registration, {
      label: '登録番号',
      value: 'T7000012050002',
    });
    const english = print('credit_note', {}, { settings: { locale: 'en' } });
    assert.deepEqual([english.title, english.subtitle], ['Credit Note', 'Qualified Return Invoice']);
  });
});
