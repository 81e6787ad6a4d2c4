/** A condition as a schema has it. */
export type Asking =
  | { all: readonly Asking[] }
  | { any: readonly Asking[] }
  | { not: Asking }
  | { field: string };

/** What decides where a step ends: the fields of a page, and what they ask of others. */
export type SegmentField = { id: string; show_if?: Asking; required_if?: Asking };

/**
 * The fields of a page in the steps that it is shown in without a script: a step ends before the first field whose `show_if` or
 * `required_if` names a field of that step, since nothing can be hidden or shown in place. A page without fields is one step.
 */
export function segmentsOf<Field extends SegmentField>(fields: readonly Field[]): Field[][] {
  const segments: Field[][] = [[]];
  for (const field of fields) {
    const last = segments.at(-1)!;
    const asked = askedBy(field);
    if (last.some(({ id }) => asked.has(id))) segments.push([field]);
    else last.push(field);
  }
  return segments;
}

function askedBy({ show_if, required_if }: SegmentField): Set<string> {
  return new Set([...namesIn(show_if), ...namesIn(required_if)]);
}

/** The fields that a condition asks about; a row of a matrix by its field. */
function namesIn(condition: Asking | undefined): string[] {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(namesIn);
  if ('any' in condition) return condition.any.flatMap(namesIn);
  if ('not' in condition) return namesIn(condition.not);
  return [condition.field.split('.')[0]!];
}
