import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qualifiedFaults } from '../../../shared/invoicing/qualified.ts';

type Checked = Parameters<typeof qualifiedFaults>[0];

const item: Checked['lines'][number] = {
  id: 'li_1',
  type: 'item',
  description: '豆',
  item_code: null,
  quantity: '1',
  unit: null,
  unit_price: '100',
  tax_category: 'standard',
  tax_rate: 10,
  withholding: false,
  amount: 100n,
  source_line_id: null,
  source_document_id: null,
};

const whole: Checked = {
  issuer_name: '山田商事株式会社',
  issuer_registration_number: 'T7000012050002',
  transaction_date: '2026-04-01',
  transaction_from: null,
  transaction_to: null,
  lines: [item],
  tax_breakdown: [{ tax_category: 'standard', tax_rate: 10, net: 100n, tax: 10n, gross: 110n }],
};

describe('a qualified invoice needs', () => {
  const table: [string, Partial<Checked>, string | null, string[]][] = [
    ['nothing more than what it has', {}, '山田商店', []],
    [
      'a period in the place of a day',
      { transaction_date: null, transaction_from: '2026-04-01', transaction_to: '2026-04-30' },
      '山田商店',
      [],
    ],
    ["the issuer's name", { issuer_name: ' ' }, '山田商店', ['/issuer_name']],
    [
      "the issuer's number",
      { issuer_registration_number: null },
      '山田商店',
      ['/issuer_registration_number'],
    ],
    ['the day or the period', { transaction_date: null }, '山田商店', ['/transaction_date']],
    ['what was sold', { lines: [{ ...item, type: 'text' }] }, '山田商店', ['/line_items']],
    [
      'what each line is',
      { lines: [item, { ...item, description: ' ' }] },
      '山田商店',
      ['/line_items/1/description'],
    ],
    ['the sum of each rate', { tax_breakdown: [] }, '山田商店', ['/totals/tax_breakdown']],
    ["the recipient's name", {}, '', ['/company_id']],
    [
      'all of it, told at once',
      { issuer_name: null, transaction_date: null, lines: [] },
      null,
      ['/issuer_name', '/transaction_date', '/line_items', '/company_id'],
    ],
  ];
  for (const [words, fields, recipient, paths] of table) {
    it(words, () => {
      const faults = qualifiedFaults({ ...whole, ...fields }, recipient);
      assert.deepEqual(
        faults.map(({ path, code }) => [path, code]),
        paths.map((path) => [path, 'required']),
      );
    });
  }
});
