import { z } from 'zod';
import { byField, decimalText, narrow } from '../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../platform/imports/reading/field.ts';
import { taxCategories } from '../tax/categories.ts';

/** Yen that a line may have: twelve digits. */
const Amount = z.int().min(0).max(999_999_999_999);

/** Whole yen as people write them: `11,000`, `¥11000`, `１１，０００円`. */
export const parseAmount = byField(Amount, (cell) => {
  const exact = decimalText(cell)?.replace(/\.0+$/, '');
  return exact === undefined || exact.includes('.') ? undefined : Number(exact);
});

const bare = (name: string) => narrow(name).replaceAll(/\s/g, '');

/** What other programs call categories, where it means the same. */
const OTHERS: readonly [name: string, code: string][] = [
  ['不課税', 'O'],
  ['対象外売上', 'O'],
  ['対象外仕入', 'O'],
  ['非課税売上', 'SE'],
  ['非課税仕入', 'PE'],
  ['輸出免税売上', 'SX'],
];

const codes = new Map([
  ...taxCategories.flatMap(({ code, name }): [string, string][] => [
    [code, code],
    [bare(name), code],
  ]),
  ...OTHERS,
]);

/**
 * A category by its code, its Japanese name, or that of other programs: `課税仕入 10%`, `課対仕入込軽減8%`. 込 says that the
 * amount has the tax in it, which `auto_tax` of the import says for all.
 */
export function parseTaxCategory(cell: string): Parsed {
  const name = bare(cell)
    .replace('課税仕入', '課対仕入')
    .replace(/(売上|仕入)込/, '$1')
    .replace(/\(?軽減?\)?(\d+%)/, '$1(軽)');
  const code = codes.get(name) ?? codes.get(name.toUpperCase());
  return code === undefined ? { fault: 'unknown_tax_category' } : { value: code };
}
