import { Failure } from '../../kernel/failure.ts';
import { sameText, type Text } from '../../kernel/language.ts';
import type { ImportRow } from '../../platform/imports/domain.ts';

/** What the cells of a row say, by the names of their columns; blank cells say nothing. */
export type Values = ImportRow['values'];

/** A row whose cells are all well-formed. */
export type GoodRow = Pick<ImportRow, 'row' | 'values'>;

/** What is wrong with a row; `field` names the column, null where no single one is to blame. */
export type Fault = { field: string | null; code: string; message: Text };

/** Whether what was found is a fault instead. */
export function isFault(found: unknown): found is Fault {
  return typeof found === 'object' && found !== null && 'code' in found && 'field' in found;
}

/** Names that a fault lists: enough to find the right one. */
const MOST_LISTED = 20;

/** A cell refers to what the organization does not have; `options` are the names that it has. */
export function unknown(field: string, named: unknown, options: readonly string[] = []): Fault {
  const more = options.length > MOST_LISTED ? ', ...' : '';
  const listed = `${options.slice(0, MOST_LISTED).join(', ')}${more}`;
  return {
    field,
    code: 'unknown_reference',
    message: {
      en: `${field}: ${String(named)} does not exist in this organization${listed && `; there are: ${listed}`}`,
      ja: `${String(named)} はこの組織に登録されていません${listed && `。登録されているもの：${listed}`}`,
    },
  };
}

/** A cell refers to more than one record. */
export function ambiguous(field: string, named: unknown): Fault {
  return {
    field,
    code: 'ambiguous',
    message: {
      en: `${field}: more than one record has ${String(named)}`,
      ja: `${String(named)} に当てはまる登録が複数あります`,
    },
  };
}

/** A new record needs a value that the row does not have. */
export function missing(field: string): Fault {
  return {
    field,
    code: 'required',
    message: {
      en: `${field} is required for a record that is made`,
      ja: `新しく登録するには ${field} が必要です`,
    },
  };
}

/** A value that only one record may have, and another has. */
export function taken(field: string, value: unknown): Fault {
  return {
    field,
    code: 'already_exists',
    message: {
      en: `${field}: another record has ${String(value)}`,
      ja: `${String(value)} はほかの登録ですでに使われています`,
    },
  };
}

/** What an operation refused, as faults of the row; `field` is the column where the refusal names none. */
export function refused(error: unknown, field: string): Fault[] {
  if (!(error instanceof Failure)) throw error;
  const { errors, detail } = error.details;
  if (!errors) return [{ field, code: error.code, message: detail ?? sameText(error.message) }];
  return errors.map(({ path, code, message }) => ({
    field: path.slice(1).replaceAll('/', '.'),
    code,
    message,
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
