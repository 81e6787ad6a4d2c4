import type { SearchTerm } from '../../db/search-term.ts';
import { withoutLegalForm } from './legal-forms.ts';
import { digitsOf, normalise } from './normalise.ts';
import { usualLetters, waysOf } from './variants.ts';

/**
 * The letters (UTF-16 code units) and pairs of letters of a searched text, each as one 32-bit number, sorted and
 * without repeats: what the index of a table holds. Lines do not touch: no pair reaches from one into the next.
 */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>();
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length; at += 1) {
      grams.add(line.charCodeAt(at));
      if (at > 0) grams.add(pair(line.charCodeAt(at - 1), line.charCodeAt(at)));
    }
  }
  return [...grams].sort((left, right) => left - right);
}

/** Sets of grams that are asked for: each is a look into the index, and a few leave little to look at. */
const MOST_SETS = 8;

/**
 * Reads what a person typed into a search field; null when nothing is left to look for. `%`, `_` and `\` are
 * letters. A term that is written like a phone number is looked for by its digits, where records have phone numbers. Of the
 * name of a company its legal form is left out, unless it is all; letters of names are found in whatever way they are written.
 */
export function searchTerm(typed: string, { phones = true } = {}): SearchTerm | null {
  const line = normalise(typed);
  const term = phones && isPhoneLike(line) ? digitsOf(line) : usualLetters(withoutLegalForm(line));
  if (term === '') return null;
  const letters = [...term].map((letter) => ({ letter, ways: waysOf(letter) }));
  const units = letters.flatMap(({ letter, ways }) => unitsOf(letter, ways));
  const asked = units.length === 1 ? [units[0]!.first] : pairsOf(units);
  const varies = letters.some(({ ways }) => ways !== null);
  return {
    grams: asked.flatMap((set) => (set.length === 1 ? set : [])),
    some: asked.filter((set) => set.length > 1).slice(0, MOST_SETS),
    pattern: `%${letters.map(({ letter, ways }) => (ways ? '_' : literal(letter))).join('')}%`,
    regex: varies
      ? letters.map(({ letter, ways }) => (ways ? `[${ways.join('')}]` : verbatim(letter))).join('')
      : null,
    is_inexact: letters.some(({ ways }) => ways?.some((way) => way.length > 1)),
  };
}

/** The code units that a part of a term may begin and end with. */
type Unit = { first: number[]; last: number[] };

function unitsOf(letter: string, ways: readonly string[] | null): Unit[] {
  const unitAt = (text: string, at: number) => text.charCodeAt(at);
  if (ways)
    return [
      { first: ways.map((way) => unitAt(way, 0)), last: ways.map((way) => unitAt(way, way.length - 1)) },
    ];
  return Array.from({ length: letter.length }, (_, at) => {
    const only = [unitAt(letter, at)];
    return { first: only, last: only };
  });
}

/** For each two neighbours the pairs that may stand there. */
function pairsOf(units: readonly Unit[]): number[][] {
  return units.slice(1).map(({ first }, at) => {
    const before = units[at]!.last;
    return [...new Set(before.flatMap((left) => first.map((right) => pair(left, right))))];
  });
}

/** Two UTF-16 code units in one signed 32-bit number: never equal to a single unit, since none is 0. */
function pair(left: number, right: number): number {
  return (left << 16) | right;
}

const DASHES = '\\p{Pd}\u2212\u30fc';
const PHONE = new RegExp(`^[+(0][\\d\\s().${DASHES}]{5,}$`, 'u');

function isPhoneLike(line: string): boolean {
  return PHONE.test(line);
}

/** A text as LIKE takes it for itself. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A letter as a regular expression takes it for itself. */
function verbatim(letter: string): string {
  return letter.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
