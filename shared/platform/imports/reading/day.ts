import { day } from '../../../kernel/schema.ts';
import { dayText, narrow } from './cell.ts';
import type { Parsed } from './field.ts';

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

/** Reads cells that say a day, as `dayOf` does; faults: `unknown_day`. */
export function parseDay(cell: string): Parsed {
  const result = Day.safeParse(dayOf(cell));
  return result.success ? { value: result.data } : { fault: 'unknown_day' };
}
