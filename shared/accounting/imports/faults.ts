import type { z } from 'zod';
import type { Failure } from '../../kernel/failure.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import { issueCode } from '../../platform/imports/reading/issue-code.ts';

/** Fields of a request that stand in another column. */
const COLUMNS: Readonly<Record<string, string>> = { company_id: 'company', department_id: 'department' };

/** Refusals of the day, which have no place in a body. */
const OF_THE_DAY: ReadonlySet<string> = new Set(['no_fiscal_year', 'fiscal_year_closed', 'period_locked']);

/** What the schema of a new entry says of the rows that it was made of. */
export function faultsOfIssues(rows: readonly ImportRow[], { issues }: z.ZodError): CellError[] {
  return issues.map((issue) => {
    const { row, column } = placeOf(rows, issue.path.map(String));
    return cellError(row, issueCode(issue), column, issue.message);
  });
}

/** What an operation refused, at the rows and columns that it names; the first row where it names none. */
export function faultsOfFailure(
  rows: readonly ImportRow[],
  { code, message, details }: Failure,
): CellError[] {
  const { errors, detail } = details;
  if (errors) {
    return errors.map((error) => {
      const { row, column } = placeOf(rows, error.path.split('/').slice(1));
      return cellError(row, error.code, column, error.message.en);
    });
  }
  const column = OF_THE_DAY.has(code) ? 'date' : null;
  return [cellError(rows[0]!, code, column, detail?.en ?? message)];
}

/** The other rows of an entry that has a fault: it goes to the report whole, so that it can be mended and sent again. */
export function faultsOfOthers(rows: readonly ImportRow[], faulty: ReadonlySet<number>): CellError[] {
  const [first] = [...faulty].toSorted((one, other) => one - other);
  return rows
    .filter(({ row }) => !faulty.has(row))
    .map((row) =>
      cellError(
        row,
        'faulty_entry',
        null,
        `Row ${first} of the same entry has a fault: mend it, and send all rows of the entry`,
      ),
    );
}

/** `lines/2/debit` is the column `debit` of the third row. */
function placeOf(
  rows: readonly ImportRow[],
  path: readonly string[],
): { row: ImportRow; column: string | null } {
  const [field, index, name] = path;
  const [row, column] = field === 'lines' ? [rows[Number(index ?? 0)], name] : [rows[0], field];
  if (field === 'lines' && column === 'description') return { row: row!, column: 'line_description' };
  return { row: row ?? rows[0]!, column: column === undefined ? null : (COLUMNS[column] ?? column) };
}
