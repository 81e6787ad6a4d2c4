import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartOfAccounts } from '../../../../shared/accounting/accounts/chart.ts';
import { emptyMap, mapOfChart, mapped } from '../../../../shared/accounting/settings/account-map.ts';
import { accountAt, type Place } from '../../../../shared/accounting/sources/places.ts';

const chosen: Readonly<Record<Place, string>> = {
  receivable: '1220',
  payable: '2120',
  payable_other: '2310',
  retained_earnings: '3330',
  input_tax: '1580',
  output_tax: '2385',
  expense: '5120',
  'sales/standard': '4110',
  'sales/reduced': '4120',
  'sales/legacy_8': '4110',
  'sales/zero_rated': '4140',
  'sales/exempt': '4150',
  'sales/out_of_scope': '4110',
  sales_returns: '4190',
  'collected/bank': '1140',
  'collected/cash': '1110',
  'collected/card': '1530',
  'paid/bank': '1140',
  'paid/cash': '1110',
  'paid/card': '2310',
  fees: '6310',
  withheld: '1590',
  withholding: '2365',
  advances: '2350',
};

describe('the account at a place of the map', () => {
  for (const [place, code] of Object.entries(chosen) as [Place, string][]) {
    it(`${place} is ${code} of the chart, and null where none is chosen`, () => {
      assert.equal(accountAt(mapOfChart, place), code);
      assert.equal(accountAt(emptyMap, place), null);
      assert.ok(chartOfAccounts().some((account) => account.code === code));
    });
  }

  it('is found for every place that there is', () => {
    const paths: string[] = [];
    mapped(mapOfChart, (_, path) => paths.push(path.slice(1)));
    assert.deepEqual(paths.sort(), Object.keys(chosen).sort());
  });
});
