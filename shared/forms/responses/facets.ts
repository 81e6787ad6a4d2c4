/** What responses are filtered by, where it is settled when they are stored. */
export type Faceted = {
  form_id: string;
  form_version: number;
  source: string;
  ending_id: string | null;
  /** The answers as they are stored. */
  data: Readonly<Record<string, unknown>>;
};

/** Longer answers are not found by their whole value. */
export const LONGEST_VALUE = 255;

/**
 * Numbers that stand among the grams of a response, so that its one index of letters also serves the filters: one for its
 * form, version, source and ending, and one for each value of each answer. They are equal to no gram: their high half is the
 * first half of a surrogate pair and their low half no second one, which no text has. Different facets may share a number, so
 * rows found by one are checked.
 */
export function facetsOf({ form_id, form_version, source, ending_id, data }: Faceted): number[] {
  const facet = (name: string, value: string) => facetOf(form_id, name, value);
  const answers = Object.entries(data).flatMap(([field, answer]) => valuesOf(field, answer));
  return [
    facet('', ''),
    facet('form_version', String(form_version)),
    facet('source', source),
    ...(ending_id === null ? [] : [facet('ending_id', ending_id)]),
    ...answers
      .filter(({ value }) => value.length <= LONGEST_VALUE)
      .map(({ path, value }) => facet(`/${path}`, value)),
  ];
}

/** The number of one facet: `form_version`, `source` or `ending_id`, `/` and a field or its part, or '' for the form itself. */
export function facetOf(form_id: string, name: string, value: string): number {
  const hash = fnv1a(`${form_id}\n${name}\n${value}`);
  const high = 0xd800 + (hash & 0x3ff);
  const rest = (hash >>> 10) % 0xfc00;
  const low = rest < 0xdc00 ? rest : rest + 0x400;
  return (high << 16) | low;
}

type Value = { path: string; value: string };

/** The single values of an answer, and where they stand: of an option "other" its text, of names and matrices each part. */
function valuesOf(path: string, answer: unknown): Value[] {
  if (Array.isArray(answer)) return answer.flatMap((one) => valuesOf(path, one));
  if (typeof answer !== 'object' || answer === null) return [{ path, value: String(answer) }];
  return Object.entries(answer).flatMap(([part, value]) =>
    valuesOf(part === 'other' ? path : `${path}.${part}`, value),
  );
}

/** FNV-1a over UTF-16 code units, 32 bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
