import assert from 'node:assert/strict';
import { mapOfChart } from '../../../../shared/accounting/settings/account-map.ts';
import type { Booking, Books, SourceLine } from '../../../../shared/accounting/sources/booking.ts';

/** Books on the accounts of the chart, whose codes stand for their IDs. */
export const exclusive: Books = {
  account_map: mapOfChart,
  tax_books: 'exclusive',
  tax_rounding: 'floor',
};

export const inclusive: Books = { ...exclusive, tax_books: 'inclusive' };

/** The lines of an entry. */
export function linesOf(made: Booking): SourceLine[] {
  assert.ok(made.outcome === 'entry', JSON.stringify(made));
  return made.lines;
}

/** Lines as text: `1220 O 1,320,000 / 0`. */
export function shown(made: Booking): string[] {
  return linesOf(made).map(
    ({ account_id, tax_category, debit, credit }) => `${account_id} ${tax_category} ${debit} / ${credit}`,
  );
}

/** Debit less credit, of the lines on an account where one is named. */
export function balance(lines: readonly SourceLine[], account_id?: string): number {
  return lines
    .filter((line) => account_id === undefined || line.account_id === account_id)
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0);
}
