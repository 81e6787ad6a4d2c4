/**
 * A fixed case of steps 3 to 7 of a submission. What is expected was written by hand from the rules of forms, not taken from a
 * run. `today` is 2026-11-27 in all; there is one file, `ffile_1` of the field `f`.
 */
export type Case = {
  name: string;
  schema: Record<string, unknown>;
  data: Record<string, unknown>;
  hidden?: Record<string, unknown>;
  expected: {
    /** As stored; of visible fields. */
    data?: Record<string, unknown>;
    hidden?: Record<string, string>;
    /** Path and code of each fault, in their order. Empty where it is left out. */
    errors?: string[];
    visible?: string[];
    dropped?: string[];
    path?: string[];
    ending?: string | null;
    scores?: Record<string, string>;
  };
};

/** A page with these fields, and whatever else the schema has. */
export function formOf(fields: object[], more: object = {}): Record<string, unknown> {
  return { version: 1, locale: 'ja', pages: [{ id: 'page_1', fields }], ...more };
}

/** Two and more options by their IDs. */
export function optionsOf(...ids: string[]): { id: string; label: string }[] {
  return ids.map((id) => ({ id, label: id.toUpperCase() }));
}
