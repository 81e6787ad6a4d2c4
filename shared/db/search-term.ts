import type { Condition } from './keyset.ts';

/**
 * What a search asks for. Grams that the row must all have, and sets of grams of which it must have one each, where letters
 * of the term are written in several ways; the pattern that its text must be LIKE, any letter standing for such ones, and
 * then the regular expression that tells them. A term of one gram or one set is told exactly by it, unless `is_inexact`; so
 * pairs are repeated where the term repeats them, `aaa` has two.
 */
export type SearchTerm = {
  grams: number[];
  some: number[][];
  pattern: string;
  regex: string | null;
  is_inexact: boolean;
};

/** SQL for the letters of a row, a column of int4[], being those of a term. */
export function hasLetters(column: string, { grams, some }: SearchTerm): Condition {
  const all = grams.length > 0 ? [`${column} @> ?::int4[]`] : [];
  const each = some.map(() => `${column} && ?::int4[]`);
  // Arrays of their own: a query builder would take numbers apart.
  const values = [...(grams.length > 0 ? [[...grams]] : []), ...some.map((set) => [...set])];
  return { text: [...all, ...each].join(' AND '), values };
}

/**
 * Asks for letters twice, for a statement whose plan is to be kept. Of letters that it does not know yet PostgreSQL expects one row in two
 * hundred, more than it expects of most terms, so it planned each search anew, which takes as long as to run it. Of letters asked for twice
 * it expects next to none, and keeps the plan. An index looks equal letters up once.
 */
export function expectingFew({ text, values }: Condition): Condition {
  return { text: `${text} AND ${text}`, values: [...values, ...values] };
}

/** SQL for the text of a row having a term. */
export function hasText(column: string, { pattern, regex }: SearchTerm): Condition {
  if (regex === null) return { text: `${column} LIKE ?`, values: [pattern] };
  return { text: `${column} LIKE ? AND ${column} ~ ?`, values: [pattern, regex] };
}

/** Whether the letters alone tell that a row has the term. */
export function isToldByLetters({ grams, some, is_inexact }: SearchTerm): boolean {
  return grams.length + some.length === 1 && !is_inexact;
}

/** SQL for a row having a term: its letters, which an index finds, and its text. */
export function hasTerm(letters: string, text: string, term: SearchTerm): Condition {
  const found = hasLetters(letters, term);
  if (isToldByLetters(term)) return found;
  const told = hasText(text, term);
  return { text: `${found.text} AND ${told.text}`, values: [...found.values, ...told.values] };
}

/** SQL with `?` as SQL with `$1`, `$2`, ... from a number on. */
export function numbered(text: string, from: number): string {
  let number = from;
  return text.replaceAll('?', () => {
    const place = `$${number}`;
    number += 1;
    return place;
  });
}
