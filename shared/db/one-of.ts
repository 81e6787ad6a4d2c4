/**
 * `ANY (...)` of an argument that is a list, for statements whose plan is to be kept: `column = ${oneOf('$2')}`. Into an argument by itself
 * the planner looks: for a list of one it expects one row, for a kept plan ten, so it finds the kept one dear and plans anew
 * at each use, which takes several times as long as to look the rows up. Behind a SELECT it expects ten in both.
 */
export function oneOf(argument: string, type: 'text' | 'bytea' = 'text'): string {
  return `ANY ((SELECT ${argument}::${type}[])::${type}[])`;
}

/** `unnest(...)` of the same: a row for each text of the list. */
export function rowsOf(argument: string): string {
  return `unnest((SELECT ${argument}::text[]))`;
}
