import { type FieldError, MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import { faultsOfShape, schemaFault } from './places.ts';
import { Schema } from './schema.ts';
import { structureFaults } from './structure.ts';

/** Bytes of the text of a schema. */
export const LONGEST_SCHEMA = 256 * 1024;

/**
 * The schema of a text, or everything that is wrong with it (100 faults at most): what a working copy must be. Whether it can be
 * published, `publishFaults` says.
 */
export function parseSchema(text: string): { schema: Schema } | { faults: FieldError[] } {
  if (Buffer.byteLength(text) > LONGEST_SCHEMA) {
    const fault = schemaFault([], 'too_long', { en: 'may have 256 KiB', ja: 'は256KiBまでです' });
    return { faults: [fault] };
  }
  const value = jsonOf(text);
  if (value === undefined) {
    return { faults: [schemaFault([], 'invalid_json', { en: 'is not JSON', ja: 'がJSONではありません' })] };
  }
  const shaped = shapeOf(value);
  if (!shaped) {
    const predicate = { en: 'has more faults than can be told', ja: 'の誤りが多すぎます' };
    return { faults: [schemaFault([], 'invalid_value', predicate)] };
  }
  const { data: schema, error } = shaped;
  const faults = error ? faultsOfShape(error, value) : structureFaults(schema);
  return faults.length > 0 ? { faults: faults.slice(0, MOST_FIELD_ERRORS) } : { schema: schema! };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null where faults by the hundred thousand overflow the stack that zod gathers them on. */
function shapeOf(value: unknown): ReturnType<typeof Schema.safeParse> | null {
  try {
    return Schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
