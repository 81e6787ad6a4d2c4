import { type FieldShown, type Granted, inReadingOrder, isToFill } from './shown.ts';

/** Fields that one input fills: a signature that is asked for at several places is given once. */
export type Group = {
  /** The name of the input: the ID of its first field. */
  name: string;
  field: FieldShown;
  fields: readonly FieldShown[];
};

const DRAWN = new Set(['signature', 'initials', 'stamp']);

/** Whether a field takes a picture of a name: typed, drawn or uploaded. */
export function isDrawn({ type }: FieldShown): boolean {
  return DRAWN.has(type);
}

/**
 * What the signer fills in, in reading order. Required signatures of one type and label are one group; an optional one is a
 * group of its own, as who leaves it out leaves out that place alone.
 */
export function groupsOf({ fields }: Pick<Granted, 'fields'>, signer_id: string): Group[] {
  const own = inReadingOrder(fields).filter((field) => isToFill(field, signer_id));
  const together = Map.groupBy(own, (field) =>
    isDrawn(field) && field.required ? JSON.stringify([field.type, field.label]) : field.id,
  );
  return [...together.values()].map((group) => ({
    name: group[0]!.id,
    field: group[0]!,
    fields: group,
  }));
}
