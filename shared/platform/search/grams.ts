import type { SearchTerm } from '../../db/search-term.ts';
import { withoutLegalForm } from './legal-forms.ts';
import { digitsOf, normalise } from './normalise.ts';
import { isVaried, usualLetters, VARIED, waysOf } from './variants.ts';

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
  if (isVaried(term)) return variedTerm(term);
  const grams: number[] = term.length === 1 ? [term.charCodeAt(0)] : [];
  for (let at = 1; at < term.length; at += 1) grams.push(pair(term.charCodeAt(at - 1), term.charCodeAt(at)));
  return { grams, some: [], pattern: `%${literal(term)}%`, regex: null, is_inexact: false };
}

/** A term of which a letter is written in several ways. */
function variedTerm(term: string): SearchTerm {
  const grams: number[] = [];
  const some: number[][] = [];
  let is_inexact = false;
  let before: readonly number[] | number | null = null;
  // The usual letters of all groups are single units.
  for (let at = 0; at < term.length; at += 1) {
    const ways = waysOf(term[at]!);
    const unit = term.charCodeAt(at);
    const firsts = ways ? ways.map((way) => way.charCodeAt(0)) : unit;
    if (before === null) {
      if (term.length === 1) some.push([firsts].flat());
    } else if (typeof before === 'number' && typeof firsts === 'number') grams.push(pair(before, firsts));
    else if (some.length < MOST_SETS) some.push(pairsOf([before].flat(), [firsts].flat()));
    before = ways ? ways.map((way) => way.charCodeAt(way.length - 1)) : unit;
    is_inexact ||= ways?.some((way) => way.length > 1) ?? false;
  }
  const pattern = `%${literal(term).replace(VARIED, '_')}%`;
  const regex = verbatim(term).replace(VARIED, (letter) => `[${waysOf(letter)!.join('')}]`);
  return { grams, some, pattern, regex, is_inexact };
}

/** The pairs of any of the units with any of those behind. */
function pairsOf(left: readonly number[], right: readonly number[]): number[] {
  return [...new Set(left.flatMap((before) => right.map((unit) => pair(before, unit))))];
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

/** A text as a regular expression takes it for itself. */
function verbatim(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
