import type { UnitReader, UnitRow } from '../../platform/imports/domain.ts';
import { narrow } from '../../platform/imports/reading/cell.ts';
import { dayOf } from '../../platform/imports/reading/day.ts';
import { parseAmount } from './cells.ts';

/** What is known of the rows before, while the entries of a file are told apart. */
type Before = { date: string; number: string; is_readable: boolean; debit: number; credit: number };

/**
 * Tells the entries of a file apart. Neighbouring rows of one date and number are an entry. Where the number is blank, an
 * entry of that date begins with a row whose `line` is 1; without that column, where the rows before are equal on both
 * sides. A row that cannot be read belongs to the entries on both sides of it, since it may be of either: they are one, and
 * none of it is written.
 */
export function entryReader(): UnitReader {
  let before: Before | null = null;
  return {
    begins(row) {
      const after = seen(row, before);
      const begins = before === null || beginsEntry(before, row);
      before = begins ? after : added(before!, after);
      return begins;
    },
  };
}

function beginsEntry(before: Before, { is_readable, cell }: UnitRow): boolean {
  if (!is_readable || !before.is_readable) return false;
  const { date, number } = keyOf(cell);
  const line = narrow(cell('line'));
  if (date !== before.date || number !== before.number) return true;
  if (number !== '') return false;
  if (line !== '') return Number(line) === 1;
  return before.debit === before.credit && before.debit > 0;
}

function seen({ is_readable, cell }: UnitRow, before: Before | null): Before {
  if (!is_readable && before) return { ...before, is_readable, debit: Number.NaN, credit: Number.NaN };
  return {
    ...keyOf(cell),
    is_readable,
    ...amountsOf(cell),
  };
}

/** One day and one number are the same however they are written. */
function keyOf(cell: UnitRow['cell']): Pick<Before, 'date' | 'number'> {
  return { date: dayOf(cell('date')) ?? cell('date'), number: narrow(cell('number')) };
}

/** A row with an account on each side may have one amount for both. */
function amountsOf(cell: UnitRow['cell']): Pick<Before, 'debit' | 'credit'> {
  const of = (side: 'debit' | 'credit') => {
    const own = cell(side);
    return amountOf(own !== '' || cell(`${side}_account`) === '' ? own : cell('amount'));
  };
  return { debit: of('debit'), credit: of('credit') };
}

/** NaN for what is no amount: it equals nothing, so the entry goes on to the end of its date. */
function amountOf(cell: string): number {
  if (cell === '') return 0;
  const parsed = parseAmount(cell);
  return 'value' in parsed ? (parsed.value as number) : Number.NaN;
}

function added(before: Before, after: Before): Before {
  return { ...after, debit: before.debit + after.debit, credit: before.credit + after.credit };
}
