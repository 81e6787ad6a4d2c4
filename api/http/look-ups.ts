import { z } from 'zod';
import type { RecordKey, RecordKind } from '../../shared/kernel/record-kind.ts';

/** Values that one parameter may name, with commas between. */
const MOST_VALUES = 100;

/** The parameters by which a list finds the records that have certain keys; `external_id` takes several. */
export function lookUpParameters({ keys }: RecordKind): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, name === 'external_id' ? several(key) : one(name, key)]),
  );
}

function one(name: string, { schema }: RecordKey): z.ZodType {
  return schema.describe(`Only records with this ${name}.`).optional();
}

function several({ schema }: RecordKey): z.ZodType {
  return manyOf(schema)
    .describe(`Your own ID of the record, or up to ${MOST_VALUES} of them with commas between.`)
    .meta({ examples: ['K-1024,K-1025'] })
    .optional();
}

/**
 * A parameter that takes values of a schema, up to 100, with commas between; it becomes a list of them. A fault of one
 * value is told of the parameter: callers send no list.
 */
export function manyOf<Value>(schema: z.ZodType<Value, string>) {
  const values = z.array(schema).max(MOST_VALUES);
  return z.string().transform((text, context) => {
    const parsed = values.safeParse(text.split(','));
    if (parsed.success) return parsed.data;
    context.issues.push({ ...parsed.error.issues[0]!, path: [], input: text } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}
