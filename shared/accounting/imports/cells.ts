import { z } from 'zod';
import { day } from '../../kernel/schema.ts';
import { byField, dayText, decimalText, narrow } from '../../platform/imports/reading/cell.ts';
import type { Parsed } from '../../platform/imports/reading/field.ts';
import { taxCategories } from '../tax/categories.ts';

/** Yen that a line may have: twelve digits. */
const Amount = z.int().min(0).max(999_999_999_999);

/** Whole yen as people write them: `11,000`, `¥11000`, `１１，０００円`. */
export const parseAmount = byField(Amount, (cell) => {
  const exact = decimalText(cell)?.replace(/\.0+$/, '');
  return exact === undefined || exact.includes('.') ? undefined : Number(exact);
});

const Day = day();

/** Reiwa began in 2019. */
const REIWA = /^(?:R|令和)(\d{1,2}|元)[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/i;
const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;

/** The day that a cell says, as other programs write days: also `20260410`, `R8/4/10`, and with a time of 0:00. */
export function dayOf(cell: string): string | undefined {
  const text = narrow(cell).replace(/ 0?0:00(:00)?$/, '');
  const reiwa = REIWA.exec(text);
  if (reiwa) {
    const year = 2018 + (reiwa[1] === '元' ? 1 : Number(reiwa[1]));
    return dayText(`${year}/${reiwa[2]}/${reiwa[3]}`);
  }
  const [, year, month, date] = DIGITS.exec(text) ?? [];
  return dayText(year ? `${year}-${month}-${date}` : text);
}

export function parseDay(cell: string): Parsed {
  const result = Day.safeParse(dayOf(cell));
  return result.success ? { value: result.data } : { fault: 'unknown_day' };
}

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
