import type { z } from 'zod';
import type { Failure } from '../../kernel/failure.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import { issueCode } from '../../platform/imports/reading/issue-code.ts';
import type { LineOfRow } from './lines.ts';

/** Fields of a request that stand in another column. */
const COLUMNS: Readonly<Record<string, string>> = { company_id: 'company', department_id: 'department' };

/** Refusals of the day, which have no place in a body. */
const OF_THE_DAY: ReadonlySet<string> = new Set(['no_fiscal_year', 'fiscal_year_closed', 'period_locked']);

/** What the schema of a new entry says of the rows that it was made of. */
export function faultsOfIssues(
  rows: readonly ImportRow[],
  lines: readonly LineOfRow[],
  { issues }: z.ZodError,
): CellError[] {
  return issues.map((issue) => {
    const path = issue.path.map(String);
    if (path.length === 1 && path[0] === 'lines') {
      return cellError(rows[0]!, issue.code === 'too_small' ? 'too_few_lines' : 'too_many_lines', null);
    }
    const { row, column } = placeOf(rows, lines, path);
    const { debit, credit } = lines[Number(path[1])]?.line ?? {};
    const isBoth = path[0] === 'lines' && Number(debit ?? 0) > 0 && Number(credit ?? 0) > 0;
    return cellError(row, isBoth ? 'both_sides' : issueCode(issue), column);
  });
}

/** What an operation refused, at the rows and columns that it names; the first row where it names none. */
export function faultsOfFailure(
  rows: readonly ImportRow[],
  lines: readonly LineOfRow[],
  { code, message, details }: Failure,
): CellError[] {
  const { errors, detail } = details;
  if (errors) {
    return errors.map((error) => {
      const { row, column } = placeOf(rows, lines, error.path.split('/').slice(1));
      return cellError(row, error.code, column, error.message);
    });
  }
  const column = OF_THE_DAY.has(code) ? 'date' : null;
  return [cellError(rows[0]!, code, column, detail ?? message)];
}

/** The other rows of an entry that has a fault: it goes to the report whole, so that it can be mended and sent again. */
export function faultsOfOthers(rows: readonly ImportRow[], faulty: ReadonlySet<number>): CellError[] {
  const [first] = [...faulty].toSorted((one, other) => one - other);
  return rows
    .filter(({ row }) => !faulty.has(row))
    .map((row) =>
      cellError(row, 'faulty_entry', null, {
        en: `Row ${first} of the same entry has a fault: mend it, and send all rows of the entry`,
        ja: `同じ仕訳の${first}行目に誤りがあります。直したうえで、仕訳の全行をまとめて取り込んでください`,
      }),
    );
}

/** `lines/2/debit` is the column `debit` of the row that the third line is from. */
function placeOf(
  rows: readonly ImportRow[],
  lines: readonly LineOfRow[],
  [field, index, name]: readonly string[],
): { row: ImportRow; column: string | null } {
  const line = field === 'lines' ? lines[Number(index ?? -1)] : undefined;
  if (!line) return { row: rows[0]!, column: field === 'lines' ? null : (field ?? null) };
  const { row, prefix } = line;
  if (name === undefined) return { row, column: null };
  if (name === 'description') return { row, column: 'line_description' };
  if (name === 'account_code') return { row, column: prefix === '' ? name : `${prefix}account` };
  const own = `${prefix}${COLUMNS[name] ?? name}`;
  return { row, column: own in row.values ? own : (COLUMNS[name] ?? name) };
}
