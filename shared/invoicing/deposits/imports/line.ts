import type { z } from 'zod';
import { day } from '../../../kernel/schema.ts';
import { cellError } from '../../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow, RowRemark } from '../../../platform/imports/domain.ts';
import { type Direction, isSum } from './cells.ts';

/** Money that came in, as a line of a statement says it; the day as YYYY-MM-DD, the amount in whole yen. */
export type StatementLine = {
  received_on: string;
  amount: number;
  payer_name: string | null;
  bank_reference: string | null;
  external_id: string | null;
  /** What the account had after it, where the statement says so. */
  balance: number | null;
  note: string | null;
};

/** What becomes of a row before anything is looked up. */
export type ReadLine = { line: StatementLine } | { left_out: LeftOut } | { faults: CellError[] };

/** Why a row is left alone, though it has no fault. */
export type LeftOut = 'money_out' | 'no_money' | 'sum';

type Cells = Partial<{
  received_on: string;
  /** A word in place of the day or the year is that of a sum. */
  received_year: number | string;
  received_month: number;
  received_day: number;
  amount: number;
  withdrawal: number;
  net_amount: number;
  direction: Direction;
  movement: Direction;
  balance: number;
}> &
  Partial<Record<'payer_name' | 'bank_reference' | 'external_id' | 'note', string>>;

type Moved = { amount: number } | { left_out: LeftOut } | { fault: string; column: string };

/** Columns that tell which way money went: where a file has one, a line without money in is no slip. */
const TELLING = ['withdrawal', 'net_amount', 'direction', 'movement'];

/** The money of a line: what came in, why there is none, or what is wrong. */
function moved(
  { amount = 0, withdrawal = 0, net_amount = 0, ...told }: Cells,
  mapped: readonly string[],
): Moved {
  const asked = wordColumn(mapped);
  const direction = asked === null ? told.direction : told[asked];
  if (direction === 'out' || net_amount < 0) return { left_out: 'money_out' };
  const came_in = amount || net_amount;
  if (came_in > 0 && withdrawal > 0) return { fault: 'both_ways', column: 'amount' };
  if (withdrawal > 0) return { left_out: 'money_out' };
  if (came_in > 0 && direction !== 'in' && asked !== null) {
    return { fault: direction === undefined ? 'required' : 'invalid_value', column: asked };
  }
  if (came_in > 0) return { amount: came_in };
  if (mapped.some((name) => TELLING.includes(name))) return { left_out: 'no_money' };
  return { fault: 'required', column: 'amount' };
}

/** The column whose word alone says the way of an amount, so that one without it may be either; null where other columns say it. */
function wordColumn(mapped: readonly string[]): 'direction' | 'movement' | null {
  if (mapped.includes('withdrawal') || mapped.includes('net_amount')) return null;
  if (mapped.includes('direction')) return 'direction';
  return mapped.includes('movement') ? 'movement' : null;
}

/** What a row says; `mapped` are the fields that the file has columns for. Faults: `both_ways`, `required`, `invalid_value`, `unknown_day`. */
export function readLine(
  row: Pick<ImportRow, 'row' | 'cells' | 'values'>,
  mapped: readonly string[],
): ReadLine {
  const cells = row.values as Cells;
  if ([cells.received_on, cells.received_year, cells.payer_name].some(tellsSum)) return { left_out: 'sum' };
  const money = moved(cells, mapped);
  if ('left_out' in money) return money;
  const day = dayOf(cells);
  const faults = [
    ...('fault' in money ? [cellError(row, money.fault, money.column)] : []),
    ...('fault' in day ? [cellError(row, day.fault, day.column)] : []),
  ];
  if ('fault' in money || 'fault' in day) return { faults };
  const { payer_name = null, bank_reference = null, external_id = null, balance = null, note = null } = cells;
  const { received_on } = day;
  const told = { payer_name, bank_reference, external_id, balance, note };
  return { line: { received_on, amount: money.amount, ...told } };
}

const tellsSum = (cell: unknown): boolean => typeof cell === 'string' && isSum(cell);

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

const sum = () => ({
  en: 'A sum or what was carried over: the row is left alone',
  ja: '合計・繰越の行のため、取り込みません',
});

const faulty = () => ({
  en: 'The row has a fault: an import would leave it out and say why',
  ja: '誤りのある行です。インポートでは取り込まず、理由を示します',
});

const sentences = { money_out: moneyOut, no_money: noMoney, sum, faulty } as const;

/** What previews say of rows that are left alone. */
export const depositRemarks = Object.values(sentences);

/** What a preview says of a row that would make no deposit: the same that comes of it in an import. */
export function remarkOnLine(
  row: Pick<ImportRow, 'values' | 'faulty_fields'>,
  mapped: readonly string[],
): RowRemark | null {
  const code = leftFor(row, mapped);
  return code && { code, message: sentences[code]().en };
}

function leftFor(
  { values, faulty_fields = [] }: Pick<ImportRow, 'values' | 'faulty_fields'>,
  mapped: readonly string[],
): LeftOut | 'faulty' | null {
  if (faulty_fields.length > 0) return 'faulty';
  const read = readLine({ row: 0, cells: [], values }, mapped);
  if ('left_out' in read) return read.left_out;
  return 'faults' in read ? 'faulty' : null;
}
