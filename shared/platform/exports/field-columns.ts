import { z } from 'zod';
import type { CellKind } from './csv.ts';
import { column, type ExportColumn } from './exporter.ts';

/**
 * The columns of the fields that a table keeps as they are written, in the order of the schema: a further field of a
 * record is a further column of its export. `except` names those that have a column of another kind or in another
 * place. Throws for a field that is neither a text nor a number and is not excepted.
 */
export function fieldColumns<Fields extends z.ZodRawShape>(
  table: string,
  fields: Fields,
  { except }: { except: readonly (keyof Fields & string)[] },
): ExportColumn[] {
  return Object.keys(fields)
    .filter((name) => !except.includes(name))
    .map((name) => column(table, name, kindOf(name, fields[name]!)));
}

function kindOf(name: string, schema: z.core.$ZodType): CellKind {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return kindOf(name, schema.unwrap());
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat || schema instanceof z.ZodEnum) {
    return 'text';
  }
  throw new Error(`The field ${name} needs an export column of its own`);
}
