import type { Reader } from '../../kernel/reader.ts';
import type { CellKind } from '../../platform/exports/csv.ts';
import { type ExportColumn, joined, type KeyedColumns } from '../../platform/exports/exporter.ts';
import { truthWords } from '../../platform/exports/truth-words.ts';
import type { ImportField } from '../../platform/imports/reading/field.ts';
import { foldHeader, isOwnName } from '../../platform/imports/reading/headers.ts';
import { type CustomFieldKind, labelledRules } from '../custom-fields/queries.ts';
import type { CustomFieldType } from '../custom-fields/values.ts';

const kinds: Partial<Record<CustomFieldType, CellKind>> = { number: 'number', date: 'day' };

type Rule = Awaited<ReturnType<typeof labelledRules>>[number];

/**
 * One column for each custom field that an organization gave this kind of record, in the order of their keys. Its
 * Japanese header is its label, but for one that means something else already.
 */
export function customColumns(
  table: string,
  kind: CustomFieldKind,
  fields: readonly ImportField[],
  japanese: Readonly<Record<string, string>>,
): KeyedColumns {
  const name = 'custom_fields';
  const taken = new Set(Object.values(japanese).map(foldHeader));
  return {
    name,
    all: async (reader) => (await columnsOf(reader)).map(([, column]) => column),
    async byKey(reader) {
      const columns = new Map(await columnsOf(reader));
      return (key) => columns.get(key) ?? null;
    },
  };

  async function columnsOf(reader: Reader): Promise<[key: string, column: ExportColumn][]> {
    const rules = await labelledRules(reader, kind);
    return rules
      .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      .map((rule) => [rule.key, columnOf(rule, isFree(rule, rules))]);
  }

  function isFree({ label }: Rule, rules: readonly Rule[]): boolean {
    const folded = foldHeader(label);
    const meant = rules.filter(
      (rule) => foldHeader(rule.label) === folded || foldHeader(rule.key) === folded,
    );
    return folded !== '' && meant.length === 1 && !taken.has(folded) && !isOwnName(label, fields);
  }

  function columnOf({ key, type, label }: Rule, is_free: boolean): ExportColumn {
    const field = `"${table}".custom_fields`;
    const sql =
      type === 'multi_select'
        ? joined('choice.name', 'choice.place', chosen(`${field} -> ?`))
        : `${field} ->> ?`;
    const header = `${name}.${key}`;
    return {
      name: header,
      header,
      japanese: is_free ? label : header,
      kind: kinds[type] ?? 'text',
      sql,
      values: [key],
      ...(type === 'boolean' && { words: truthWords }),
    };
  }
}

function chosen(sql: string): string {
  return `jsonb_array_elements_text(${sql}) WITH ORDINALITY AS choice (name, place)`;
}
