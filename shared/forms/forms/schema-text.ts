import { createHash } from 'node:crypto';
import { Failure, invalidAll } from '../../kernel/failure.ts';
import { parseSchema } from '../schema/parse.ts';
import { publishFaults } from '../schema/publish.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldType } from '../schema/words.ts';

/** Sees that a text can be the working copy of a form. Errors: `validation_failed` at places of the schema. */
export function requireSchema(schema_json: string): Schema {
  const parsed = parseSchema(schema_json);
  if ('faults' in parsed) throw invalidAll(parsed.faults);
  return parsed.schema;
}

/**
 * Sees that a working copy can be published, whose fields keep the types that they have in earlier versions. Errors:
 * `invalid_schema` at its places.
 */
export function requirePublishable(schema_json: string, earlier: ReadonlyMap<string, FieldType>): void {
  const parsed = parseSchema(schema_json);
  const errors = 'faults' in parsed ? parsed.faults : publishFaults(parsed.schema, earlier);
  if (errors.length > 0) throw new Failure('invalid_schema', { errors });
}

/** The schema of a text that was judged before: that of a version, or of a working copy as it is stored. */
export function storedSchema(schema_json: string): Schema {
  const parsed = parseSchema(schema_json);
  if ('faults' in parsed) throw new Error('A stored schema is not one any more');
  return parsed.schema;
}

/** The SHA-256 of the text of a schema, in hexadecimal: what a version is known by. */
export function sha256Of(schema_json: string): string {
  return createHash('sha256').update(schema_json).digest('hex');
}
