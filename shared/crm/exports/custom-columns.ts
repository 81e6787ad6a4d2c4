import type { CellKind } from '../../platform/exports/csv.ts';
import { type ExportColumn, joined, type KeyedColumns } from '../../platform/exports/exporter.ts';
import { type CustomFieldKind, customFieldRules } from '../custom-fields/queries.ts';
import type { CustomFieldRule, CustomFieldType } from '../custom-fields/values.ts';

const kinds: Partial<Record<CustomFieldType, CellKind>> = { number: 'number', date: 'day' };

/** One column for each custom field that an organization gave this kind of record, in the order of their keys. */
export function customColumns(table: string, kind: CustomFieldKind): KeyedColumns {
  const name = 'custom_fields';
  return {
    name,
    async all(reader) {
      const rules = await customFieldRules(reader, kind);
      return rules.toSorted((left, right) => (left.key < right.key ? -1 : 1)).map(columnOf);
    },
    async byKey(reader) {
      const rules = new Map((await customFieldRules(reader, kind)).map((rule) => [rule.key, rule]));
      return (key) => {
        const rule = rules.get(key);
        return rule ? columnOf(rule) : null;
      };
    },
  };

  function columnOf({ key, type }: CustomFieldRule): ExportColumn {
    const values = [key];
    const field = `"${table}".custom_fields`;
    const sql =
      type === 'multi_select'
        ? joined('choice.name', 'choice.place', chosen(`${field} -> ?`))
        : `${field} ->> ?`;
    return { name: `${name}.${key}`, header: `${name}.${key}`, kind: kinds[type] ?? 'text', sql, values };
  }
}

function chosen(sql: string): string {
  return `jsonb_array_elements_text(${sql}) WITH ORDINALITY AS choice (name, place)`;
}
