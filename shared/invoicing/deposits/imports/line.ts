import type { z } from 'zod';
import { day } from '../../../kernel/schema.ts';
import { cellError } from '../../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow, RowRemark } from '../../../platform/imports/domain.ts';
import type { Direction } from './cells.ts';

/** Money that came in, as a line of a statement says it; the day as YYYY-MM-DD, the amount in whole yen. */
export type StatementLine = {
  received_on: string;
  amount: number;
  payer_name: string | null;
  bank_reference: string | null;
  external_id: string | null;
  note: string | null;
};

/** What becomes of a row before anything is looked up. */
export type ReadLine = { line: StatementLine } | { left_out: LeftOut } | { faults: CellError[] };

/** Why a row is left alone, though it has no fault. */
export type LeftOut = 'money_out' | 'no_money';

type Cells = Partial<{
  received_on: string;
  received_year: number;
  received_month: number;
  received_day: number;
  amount: number;
  withdrawal: number;
  net_amount: number;
  direction: Direction;
}> &
  Partial<Record<'payer_name' | 'bank_reference' | 'external_id' | 'note', string>>;

type Moved = { amount: number } | { left_out: LeftOut } | { fault: string; column: string };

/** Columns that tell which way money went: where a file has one, a line without money in is no slip. */
const TELLING = ['withdrawal', 'net_amount', 'direction'];

/** The money of a line: what came in, why there is none, or what is wrong. */
function moved(
  { amount = 0, withdrawal = 0, net_amount = 0, direction }: Cells,
  mapped: readonly string[],
): Moved {
  if (direction === 'out' || net_amount < 0) return { left_out: 'money_out' };
  const came_in = amount || net_amount;
  if (came_in > 0 && withdrawal > 0) return { fault: 'both_ways', column: 'amount' };
  if (withdrawal > 0) return { left_out: 'money_out' };
  if (came_in > 0 && direction === undefined && isToldByDirection(mapped)) {
    return { fault: 'required', column: 'direction' };
  }
  if (came_in > 0) return { amount: came_in };
  if (mapped.some((name) => TELLING.includes(name))) return { left_out: 'no_money' };
  return { fault: 'required', column: 'amount' };
}

/** Whether an amount is money in or out by its direction alone: one without it may be either. */
function isToldByDirection(mapped: readonly string[]): boolean {
  return mapped.includes('direction') && !mapped.includes('withdrawal') && !mapped.includes('net_amount');
}

/** What a row says; `mapped` are the fields that the file has columns for. Faults: `both_ways`, `required`, `unknown_day`. */
export function readLine(row: ImportRow, mapped: readonly string[]): ReadLine {
  const cells = row.values as Cells;
  const money = moved(cells, mapped);
  if ('left_out' in money) return money;
  const day = dayOf(cells);
  const faults = [
    ...('fault' in money ? [cellError(row, money.fault, money.column)] : []),
    ...('fault' in day ? [cellError(row, day.fault, day.column)] : []),
  ];
  if ('fault' in money || 'fault' in day) return { faults };
  const { payer_name = null, bank_reference = null, external_id = null, note = null } = cells;
  const { amount } = money;
  return { line: { received_on: day.received_on, amount, payer_name, bank_reference, external_id, note } };
}

const Day: z.ZodType<string> = day();

function dayOf(cells: Cells): { received_on: string } | { fault: string; column: string } {
  const { received_on, received_year: year, received_month: month, received_day: date } = cells;
  if (received_on !== undefined) return { received_on };
  if (year === undefined || month === undefined || date === undefined) {
    return { fault: 'required', column: year === undefined ? 'received_on' : 'received_year' };
  }
  const two = (part: number) => String(part).padStart(2, '0');
  const result = Day.safeParse(`${year}-${two(month)}-${two(date)}`);
  return result.success ? { received_on: result.data } : { fault: 'unknown_day', column: 'received_day' };
}

const moneyOut = () => ({
  en: 'Money goes out: the row is left alone',
  ja: '出金の行のため、取り込みません',
});

const noMoney = () => ({
  en: 'No money comes in: the row is left alone',
  ja: '入金額がない行のため、取り込みません',
});

const sentences = { money_out: moneyOut, no_money: noMoney } as const;

/** What previews say of rows that are left alone. */
export const depositRemarks = Object.values(sentences);

/** What a preview says of a row that is left alone. */
export function remarkOnLine(values: ImportRow['values'], mapped: readonly string[]): RowRemark | null {
  const money = moved(values as Cells, mapped);
  return 'left_out' in money ? { code: money.left_out, message: sentences[money.left_out]().en } : null;
}
