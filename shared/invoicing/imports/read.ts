import { type CompanyCells, type CompanyOfCells, companyColumns } from '../../crm/companies/in-files.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow } from '../../platform/imports/domain.ts';
import { lineColumns } from './fields.ts';
import { keyOf } from './units.ts';

/** Columns that say how the file is built, and nothing of the document. */
const OF_THE_FILE = ['row_type', 'kind'];

/** A line as a request would send it, and the row that it is from. */
export type LineOfRow = { row: ImportRow; line: Record<string, unknown> };

/** A document of the file: what a request would send of it, and what is wrong with it. */
export type Read = {
  rows: ImportRow[];
  /** What tells it in the file; blank where nothing does. */
  key: string;
  /** What the rows say of the document, by the fields of a request, without its company and lines. */
  fields: Record<string, unknown>;
  company: CompanyCells;
  lines: LineOfRow[];
  faults: CellError[];
  /** Whether a row has a fault that is told already. */
  is_faulty: boolean;
};

/** Puts together what the rows of a document say: each field once, by all of its rows that say it alike. */
export function readDocument(rows: ImportRow[]): Read {
  const is_faulty = rows.some(({ faulty_fields }) => faulty_fields);
  const faults: CellError[] = [];
  const said: Record<string, unknown> = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row.values)) {
      if (value === undefined || isOfLine(name) || OF_THE_FILE.includes(name)) continue;
      if (!(name in said)) said[name] = value;
      else if (!isSameJson(said[name], value)) faults.push(cellError(row, 'rows_differ', name));
    }
  }
  const key = keyOf((name) => String(said[name] ?? ''));
  const { transaction_from: from, transaction_to: to, ...plain } = said;
  const company: CompanyCells = {};
  for (const column of companyColumns) {
    if (typeof plain[column] === 'string') company[column] = plain[column];
    delete plain[column];
  }
  const fields = {
    ...plain,
    ...((from !== undefined || to !== undefined) && {
      transaction_period: { from: from ?? to, to: to ?? from },
    }),
  };
  const lines = rows.flatMap((row): LineOfRow[] => {
    const said = lineColumns.filter((name) => row.values[name] !== undefined);
    return said.length > 0
      ? [{ row, line: Object.fromEntries(said.map((name) => [name, row.values[name]])) }]
      : [];
  });
  return { rows, key, fields, company, lines, faults, is_faulty };
}

function isOfLine(name: string): boolean {
  return (lineColumns as readonly string[]).includes(name);
}

/** The company that the rows name; what is wrong with it goes to the faults. */
export function companyOf(
  { rows, company, faults }: Read,
  find: (cells: CompanyCells) => CompanyOfCells,
): string | undefined {
  const found = find(company);
  if (found === null) return undefined;
  if ('company_id' in found) return found.company_id;
  const at = rows.find(({ values }) => values[found.column] !== undefined) ?? rows[0]!;
  const named = company[found.column]!;
  const detail =
    found.fault === 'ambiguous'
      ? `Several companies are called ${named}: name the one by its external_id, corporate_number or ID`
      : `There is no company ${named}: correct it, or make the company first`;
  faults.push(cellError(at, found.fault, found.column, detail));
  return undefined;
}
