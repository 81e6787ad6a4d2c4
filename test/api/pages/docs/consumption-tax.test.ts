import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { lineAmount } from '../../../../shared/invoicing/tax/line-amount.ts';
import { type CountedLine, totalsOf } from '../../../../shared/invoicing/tax/totals.ts';
import { withholdingTax } from '../../../../shared/invoicing/tax/withholding.ts';

const guide = readFileSync(
  resolve(import.meta.dirname, '../../../../docs/guides/consumption-tax.md'),
  'utf8',
);

/** The cells of the table below a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = guide.split(`## ${heading}\n`);
  const [, , ...rows] = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const numbers = (text: string) =>
  [...text.replaceAll(',', '').matchAll(/-?\d+/g)].map(([found]) => BigInt(found));

/** `3 × 627 R; 1 × 6600 S` as lines. */
function linesOf(text: string): CountedLine[] {
  return text.split('; ').map((line) => {
    const [, quantity, price, rate] = /^(-?[\d.]+) × (\d+) ([RS])$/.exec(line)!;
    const category =
      rate === 'R'
        ? ({ tax_category: 'reduced', tax_rate: 8 } as const)
        : ({ tax_category: 'standard', tax_rate: 10 } as const);
    return { ...category, amount: lineAmount(quantity!, price!), withholding: false };
  });
}

describe('the guide to consumption tax', () => {
  const columns = (['exclusive', 'inclusive'] as const).flatMap((display_mode) =>
    (['round', 'floor', 'ceil'] as const).map((rounding) => ({ display_mode, rounding })),
  );
  const examples = tableUnder('Examples');
  assert.equal(examples.length, 4);
  for (const [lines, ...cells] of examples) {
    test(`computes ${lines} as the service does`, () => {
      assert.equal(cells.length, columns.length);
      for (const [place, rules] of columns.entries()) {
        const totals = totalsOf(linesOf(lines!), { ...rules, withholding_mode: 'none' });
        const taxes = totals.tax_breakdown.toSorted((a, b) => a.tax_rate - b.tax_rate).map(({ tax }) => tax);
        const sum = rules.display_mode === 'exclusive' ? totals.total : totals.subtotal;
        const [shownTaxes = '', shownSum = ''] = cells[place]!.split('; ');
        assert.deepEqual(
          numbers(shownTaxes.replaceAll(' + ', ' ')),
          taxes,
          `${rules.display_mode} ${rules.rounding}`,
        );
        assert.deepEqual(numbers(shownSum), [sum], `${rules.display_mode} ${rules.rounding}`);
      }
    });
  }

  test('withholds as the service does', () => {
    const rows = tableUnder('Withholding');
    assert.equal(rows.length, 5);
    for (const [base = '', withheld = ''] of rows) {
      const line = { tax_category: 'standard', tax_rate: 10, amount: numbers(base)[0]! } as const;
      const tax = withholdingTax([line], 'net', { display_mode: 'exclusive', rounding: 'floor' });
      assert.deepEqual([tax], numbers(withheld), base);
    }
  });
});
