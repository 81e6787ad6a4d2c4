import { z } from 'zod';
import { day } from '../../../kernel/schema.ts';
import { byField, narrow, wholeNumber } from '../../../platform/imports/reading/cell.ts';
import { dayOf } from '../../../platform/imports/reading/day.ts';
import type { Parsed } from '../../../platform/imports/reading/field.ts';
import { MOST_YEN } from '../../payments/record.ts';

const Day = day();

/** A time behind a day, which statements of some banks have. */
const TIME = / \d{1,2}:\d{2}(:\d{2})?$/;
const TWO_DIGITS = /^(\d{2})[-/.]?(\d{2})[-/.]?(\d{2})$/;

/** The last year of Reiwa that two digits are read as: what is above it is a year of the calendar, as 2019 and later ones. */
const LAST_REIWA = 18;

/**
 * The day of a line, as banks write it: `2026/10/31`, `20261031`, `2026年10月31日`, `令和8年10月31日`, `R8.10.31`, also with a time or
 * with blanks inside. Six digits are a year of Reiwa up to 18 (until 2036), as the format of the banks' association (全銀) has it,
 * and of the calendar from 19 on. The word of a sum in its place stays as it is. Faults: `unknown_day`.
 */
export function parseStatementDay(cell: string): Parsed {
  if (isSum(cell)) return { value: cell };
  const text = narrow(cell).replace(TIME, '').replaceAll(' ', '');
  const [, year, month, date] = TWO_DIGITS.exec(text) ?? [];
  const four = year && String(Number(year) + (Number(year) <= LAST_REIWA ? 2018 : 2000));
  const result = Day.safeParse(dayOf(four ? `${four}-${month}-${date}` : text));
  return result.success ? { value: result.data } : { fault: 'unknown_day' };
}

/**
 * The year where it has a column of its own: `2026`, `令和8年`, `R8`, and two digits as those of a whole day. The word of a sum stays
 * as it is. Faults: `unknown_day`.
 */
export function parseStatementYear(cell: string): Parsed {
  if (isSum(cell)) return { value: cell };
  const [, era, digits] = YEAR.exec(narrow(cell).replaceAll(' ', '')) ?? [];
  if (digits === undefined) return { fault: 'unknown_day' };
  const year = Number(digits);
  if (era !== undefined) return { value: year + 2018 };
  return { value: digits.length > 2 ? year : year + (year <= LAST_REIWA ? 2018 : 2000) };
}

const YEAR = /^(令和|令|r)?(\d{1,2}|\d{4})年?$/i;

const CARRIED = '(?:前(?:月|頁|回|日|期|葉)?(?:より|から)?の?)?(?:繰越|繰り越し|クリコシ)(?:残高|金額|額)?';

const SUM = new RegExp(
  `^(?:総合計|合計|小計|総計|計|累計|${CARRIED}|(?:前日|前月|前回|期首|期末|開始|最終)残高)$`,
);

/** Whether a cell is the word of a line that is no movement: what was carried over, or the sums of others. */
export function isSum(cell: string): boolean {
  return SUM.test(narrow(cell).replaceAll(' ', ''));
}

/** What stands in a column of money where none moved. */
const NOTHING = new Set(['-', 'ー', '―', '*']);

const yen = wholeNumber('円');

function amountText(cell: string): unknown {
  const text = narrow(cell).replace(/^\+/, '');
  return NOTHING.has(text) ? 0 : yen(text);
}

/** Whole yen of one direction; 0, a hyphen and a blank cell say that none moved. */
export const parseYen = byField(z.int().min(0).max(MOST_YEN), amountText);

/** Whole yen with a sign: what goes out is below 0. */
export const parseSignedYen = byField(z.int().min(-MOST_YEN).max(MOST_YEN), (cell) =>
  amountText(
    narrow(cell)
      .replace(/^[▲△−]\s*/, '-')
      .replace(/^-\s*[¥\\]/, '-'),
  ),
);

export type Direction = 'in' | 'out' | 'unknown';

const directions: Readonly<Record<string, Direction>> = {
  '1': 'in',
  in: 'in',
  入: 'in',
  入金: 'in',
  預入: 'in',
  '2': 'out',
  out: 'out',
  出: 'out',
  出金: 'out',
  払: 'out',
  支払: 'out',
  引出: 'out',
};

/**
 * Whether money came in or went out (入払区分): 1 and 2 in the format of the banks' association, else a word. Another word is
 * a fault only where nothing else of the line says the way.
 */
export function parseDirection(cell: string): Parsed {
  return { value: directions[narrow(cell).toLowerCase()] ?? 'unknown' };
}

/** The same of a column that may say something else, whose numbers are of that: words alone. */
export function parseMovement(cell: string): Parsed {
  return isMovement(cell) ? parseDirection(cell) : { value: 'unknown' };
}

export function isMovement(cell: string): boolean {
  const text = narrow(cell).toLowerCase();
  return directions[text] !== undefined && !/^\d$/.test(text);
}

/** The balance behind a line, which may be below 0; what cannot be read as one tells nothing. */
export function parseBalance(cell: string): Parsed {
  const parsed = parseSignedYen(cell);
  return 'value' in parsed ? parsed : { value: undefined };
}

/** What banks put before the name of who paid, with what parts it from the name. */
const TRANSFER = /^(?:お?振込(?:入金)?|お?振り込み|フリコミ|ﾌﾘｺﾐ|総合振込|他行振込)[\s＊*:：・]+(?=\S)/u;

/** A name without the word for a transfer before it: `振込 カ)アオゾラショウテン` is of カ)アオゾラショウテン. */
export function withoutTransferWord(cell: string): string {
  return cell.replace(TRANSFER, '').trim();
}
