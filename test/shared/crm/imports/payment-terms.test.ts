import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyFields } from '../../../../shared/crm/imports/companies/fields.ts';

const read = (name: string, cell: string) => {
  const parsed = companyFields.find((field) => field.name === `payment_terms.${name}`)!.parse(cell);
  return 'value' in parsed ? parsed.value : parsed.fault;
};

test('days and months of payment are read as offices write them, and no word of them is passed over', () => {
  for (const [name, cell, expected] of [
    ['closing_day', '末日', 'end'],
    ['closing_day', '月末締め', 'end'],
    ['closing_day', '20日締', 20],
    ['closing_day', '２０日〆', 20],
    ['closing_day', '31日締め', 'too_large'],
    ['months_later', '翌月', 1],
    ['months_later', '1ヶ月', 1],
    ['months_later', '２ヵ月後', 2],
    ['months_later', '3か月', 3],
    // The end of the month stands in the column of the day: a month alone would lose it.
    ['months_later', '翌月末', 'invalid_format'],
    ['pay_day', '末日払い', 'end'],
    ['pay_day', '10日払', 10],
    ['pay_day', '翌月10日', 'invalid_format'],
  ] as const)
    assert.equal(read(name, cell), expected, `${name} ${cell}`);
});

test('two terms in a cell are a fault that says what to do with them', () => {
  for (const name of ['closing_day', 'months_later', 'pay_day']) {
    const parsed = companyFields
      .find((field) => field.name === `payment_terms.${name}`)!
      .parse('翌月末/翌月10日');
    assert.ok('fault' in parsed);
    assert.equal(parsed.fault, 'invalid_format');
    assert.match(parsed.detail!.ja, /条件が2つある場合.*備考/);
    assert.match(parsed.detail!.en, /of two terms .* note/);
  }
});
