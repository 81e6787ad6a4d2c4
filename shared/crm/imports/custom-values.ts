import type { Work } from '../../kernel/work.ts';
import { type CustomFieldKind, customFieldRules } from '../custom-fields/queries.ts';
import { type CustomFieldValues, changeCustomFields } from '../custom-fields/values.ts';
import { customKey } from './custom-columns.ts';
import type { Fault, GoodRow, Values } from './row.ts';

/** The custom fields of a record after a row was applied. Faults: those of the definitions. */
export type CustomValues = (before: CustomFieldValues, values: Values) => CustomFieldValues | Fault[];

/** Applies the custom fields of rows by the definitions of this moment. */
export async function customValuesIn(
  work: Work,
  kind: CustomFieldKind,
  rows: readonly GoodRow[],
): Promise<CustomValues> {
  const keys = new Set(rows.flatMap(({ values }) => Object.keys(values).filter((name) => customKey(name))));
  if (keys.size === 0) return (before) => before;
  const rules = await customFieldRules(work, kind);
  const columns = [...keys].map((name) => ({ name, key: customKey(name)! }));
  return (before, values) => {
    const said = columns.filter(({ name }) => values[name] !== undefined);
    if (said.length === 0) return before;
    const sent = Object.fromEntries(said.map(({ name, key }) => [key, values[name]]));
    const result = changeCustomFields(before, sent, rules);
    if ('values' in result) return result.values;
    return result.faults.map(({ path, code, message }) => ({
      field: path.slice(1).replaceAll('/', '.'),
      code,
      message,
    }));
  };
}
