import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import type { CompanyOfCell } from './companies.ts';

/** What cells name, by their texts. */
export type Names = {
  accountOf: (cell: string) => string | null;
  companyOf: (cell: string) => CompanyOfCell;
};

/** A line as a request would send it, and the cells that it is from: those of a side where a row has both. */
export type LineOfRow = { row: ImportRow; prefix: '' | 'debit_' | 'credit_'; line: Record<string, unknown> };

/** The lines that a row stands for: one, or one for each side that it has. What is wrong with its cells goes to `faults`. */
export function linesOfRow(
  row: ImportRow,
  names: Names,
  faults: CellError[],
  auto_tax: boolean,
): LineOfRow[] {
  const { values } = row;
  // There are no departments yet.
  if (values['department'] !== undefined) faults.push(cellError(row, 'unknown_reference', 'department'));
  const make = (prefix: LineOfRow['prefix'], amounts: Record<string, unknown>): LineOfRow => {
    const own = (field: string) => values[prefix + field] ?? values[field];
    const account = prefix === '' ? 'account_code' : `${prefix}account`;
    const named = values[account];
    const code = typeof named === 'string' ? names.accountOf(named) : null;
    if (named === undefined) faults.push(cellError(row, 'missing_account_code', account));
    else if (code === null) faults.push(cellError(row, 'unknown_account', account));
    const line = {
      account_code: code ?? '',
      ...amounts,
      tax_category: own('tax_category'),
      company_id: companyOf(row, prefix, names, faults),
      description: values['line_description'],
      ...(auto_tax && { auto_tax }),
    };
    return { row, prefix, line };
  };
  const { debit, credit, amount } = values;
  const isSided = 'debit_account' in values;
  if (!isSided) return [make('', { debit, credit })];
  const has = (side: 'debit' | 'credit') =>
    values[`${side}_account`] !== undefined || (values[side] ?? 0) !== 0;
  return [
    ...(has('debit') ? [make('debit_', { debit: debit ?? amount })] : []),
    ...(has('credit') ? [make('credit_', { credit: credit ?? amount })] : []),
  ];
}

function companyOf(
  row: ImportRow,
  prefix: LineOfRow['prefix'],
  { companyOf }: Names,
  faults: CellError[],
): string | undefined {
  const field = row.values[`${prefix}company`] === undefined ? 'company' : `${prefix}company`;
  const cell = row.values[field];
  if (typeof cell !== 'string') return undefined;
  const found = companyOf(cell);
  if ('company_id' in found) return found.company_id;
  faults.push(cellError(row, found.fault, field));
  return undefined;
}
