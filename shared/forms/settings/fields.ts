import { partsOf } from '../answers/parts.ts';
import { storedSchema } from '../forms/schema-text.ts';
import { type Field, fieldsOf } from '../schema/schema.ts';

/** The fields of schemas by their IDs, those of earlier texts before those of later ones: settings may name any of them. */
export function fieldsIn(texts: readonly string[]): Map<string, Field> {
  const fields = texts.flatMap((text) => fieldsOf(storedSchema(text)));
  return new Map(fields.toReversed().map((field) => [field.id, field]));
}

/** The parts of a field's answer where that is more than one value, as those of a name are; null for any other field. */
export function partsIn(field: Field): readonly string[] | null {
  return field.type === 'name' || field.type === 'address' ? partsOf(field).all : null;
}
