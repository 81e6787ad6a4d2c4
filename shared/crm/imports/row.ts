import { Failure } from '../../kernel/failure.ts';
import type { ImportRow } from '../../platform/imports/domain.ts';

/** What the cells of a row say, by the names of their columns; blank cells say nothing. */
export type Values = ImportRow['values'];

/** A row whose cells are all well-formed. */
export type GoodRow = Pick<ImportRow, 'row' | 'values'>;

/** What is wrong with a row; `field` names the column, null where no single one is to blame. */
export type Fault = { field: string | null; code: string; message: string };

/** Whether what was found is a fault instead. */
export function isFault(found: unknown): found is Fault {
  return typeof found === 'object' && found !== null && 'code' in found && 'field' in found;
}

/** A cell refers to what the organization does not have. */
export function unknown(field: string, named: unknown): Fault {
  return {
    field,
    code: 'unknown_reference',
    message: `${field}: ${String(named)} does not exist in this organization`,
  };
}

/** A cell refers to more than one record. */
export function ambiguous(field: string, named: unknown): Fault {
  return { field, code: 'ambiguous', message: `${field}: more than one record has ${String(named)}` };
}

/** A new record needs a value that the row does not have. */
export function missing(field: string): Fault {
  return { field, code: 'required', message: `${field} is required for a record that is made` };
}

/** A value that only one record may have, and another has. */
export function taken(field: string, value: unknown): Fault {
  return { field, code: 'already_exists', message: `${field}: another record has ${String(value)}` };
}

/** What an operation refused, as faults of the row; `field` is the column where the refusal names none. */
export function refused(error: unknown, field: string): Fault[] {
  if (!(error instanceof Failure)) throw error;
  const { errors } = error.details;
  if (!errors) return [{ field, code: error.code, message: error.message }];
  return errors.map(({ path, code, message }) => ({
    field: path.slice(1).replaceAll('/', '.'),
    code,
    message: message.en,
  }));
}

/** The different texts that rows have in a column. */
export function textsIn(rows: readonly GoodRow[], ...names: string[]): string[] {
  const found = new Set<string>();
  for (const { values } of rows) {
    for (const name of names) {
      const value = values[name];
      if (typeof value === 'string') found.add(value);
      else if (Array.isArray(value)) for (const one of value) found.add(one);
    }
  }
  return [...found];
}

/** Those of the values that are fields of the record as the API names them. */
export function ownValues(values: Values, names: readonly string[]): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const name of names) if (values[name] !== undefined) own[name] = values[name];
  return own;
}
