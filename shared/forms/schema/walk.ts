import type { Condition } from './condition.ts';
import type { Place } from './places.ts';
import { type Field, fieldsOf, type Page, type Schema } from './schema.ts';

/** A field with its place in the schema and among all fields. */
export type PlacedField = { field: Field; place: Place; index: number };

/** All fields in their order. */
export function placedFields({ pages }: Schema): PlacedField[] {
  const placed = pages.flatMap(({ fields }, page) =>
    fields.map((field, number) => ({ field, place: ['pages', page, 'fields', number] })),
  );
  return placed.map((each, index) => ({ ...each, index }));
}

/** A condition, its place, and how many fields stand before it: it may ask about these. */
export type PlacedCondition = { condition: Condition; place: Place; before: number };

/** All conditions of a schema. Those of endings and scores come after all fields. */
export function placedConditions(schema: Schema): PlacedCondition[] {
  const { pages, endings = [], scores = [] } = schema;
  const before = pages.map((_, page) => pages.slice(0, page).flatMap(({ fields }) => fields).length);
  const last = fieldsOf(schema).length;
  return [
    ...pages.flatMap((page, number) => conditionsOfPage(page, ['pages', number], before[number]!)),
    ...endings.flatMap((ending, number) => placed(ending.if, ['endings', number, 'if'], last)),
    ...scores.flatMap(({ add }, score) =>
      add.flatMap((each, number) => placed(each.if, ['scores', score, 'add', number, 'if'], last)),
    ),
  ];
}

function conditionsOfPage(
  { show_if, fields, next = [] }: Page,
  place: Place,
  before: number,
): PlacedCondition[] {
  return [
    ...placed(show_if, [...place, 'show_if'], before),
    ...fields.flatMap((field, number) => {
      const at = [...place, 'fields', number];
      return [
        ...placed(field.show_if, [...at, 'show_if'], before + number),
        ...placed(field.required_if, [...at, 'required_if'], before + number),
      ];
    }),
    ...next.flatMap((rule, number) =>
      placed(rule.if, [...place, 'next', number, 'if'], before + fields.length),
    ),
  ];
}

function placed(condition: Condition | undefined, place: Place, before: number): PlacedCondition[] {
  return condition === undefined ? [] : [{ condition, place, before }];
}
