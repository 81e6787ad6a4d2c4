import type { z } from 'zod';
import type { Failure } from '../../kernel/failure.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import { issueCode } from '../../platform/imports/reading/issue-code.ts';
import type { Read } from './read.ts';

/** What the schema of a request says of the rows that it was made of. */
export function faultsOfIssues(read: Read, { issues }: z.ZodError): CellError[] {
  return issues.map((issue) => {
    const path = issue.path.map(String);
    if (path.length === 1 && path[0] === 'line_items') {
      const code = issue.code === 'too_big' ? 'too_many_lines_of_document' : 'no_lines';
      return cellError(read.rows[0]!, code, null);
    }
    const { row, column } = placeOf(read, path);
    const isMissing = issue.code === 'invalid_type' && row.values[column ?? ''] === undefined;
    return cellError(row, isMissing ? 'required' : issueCode(issue), column);
  });
}

/** What an operation refused, at the rows and columns that it names. */
export function faultsOfFailure(read: Read, { code, message, details }: Failure): CellError[] {
  const { errors, detail } = details;
  if (!errors) return [cellError(read.rows[0]!, code, null, detail ?? message)];
  return errors.map((error) => {
    const { row, column } = placeOf(read, error.path.split('/').slice(1));
    return cellError(row, error.code, column, error.message);
  });
}

/** The other rows of a document that has a fault: it goes to the report whole, so that it can be mended and sent again. */
export function faultsOfOthers(rows: readonly ImportRow[], faulty: ReadonlySet<number>): CellError[] {
  const first = Math.min(...faulty);
  return rows
    .filter(({ row }) => !faulty.has(row))
    .map((row) =>
      cellError(
        row,
        'faulty_document',
        null,
        `Row ${first} of the same document has a fault: mend it, and send all rows of the document`,
      ),
    );
}

/** `line_items/2/unit_price` is the column `unit_price` of the row that the third line is from. */
function placeOf(
  { rows, lines }: Read,
  [field, index, name]: readonly string[],
): { row: ImportRow; column: string | null } {
  if (field === 'line_items') {
    const line = lines[Number(index ?? -1)];
    return { row: line?.row ?? rows[0]!, column: line ? (name ?? null) : null };
  }
  const column = columnOf(field, index);
  const row = column === null ? undefined : rows.find(({ values }) => values[column] !== undefined);
  return { row: row ?? rows[0]!, column };
}

/** Fields of a request that stand in columns of other names. */
function columnOf(field: string | undefined, part: string | undefined): string | null {
  if (field === 'transaction_period') return part === 'from' ? 'transaction_from' : 'transaction_to';
  return field === 'company_id' ? 'company_name' : (field ?? null);
}
