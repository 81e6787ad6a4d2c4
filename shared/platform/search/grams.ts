import type { SearchTerm } from '../../db/list.ts';
import { digitsOf, normalise } from './normalise.ts';

/**
 * The letters (UTF-16 code units) and pairs of letters of a searched text, each as one 32-bit number, sorted and
 * without repeats: what the index of a table holds. Lines do not touch: no pair reaches from one into the next.
 */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>();
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length; at += 1) {
      grams.add(line.charCodeAt(at));
      if (at > 0) grams.add(pair(line, at - 1));
    }
  }
  return [...grams].sort((left, right) => left - right);
}

/**
 * Reads what a person typed into a search field; null when nothing is left to look for. `%`, `_` and `\` are
 * letters. A term that is written like a phone number is looked for by its digits, where records have phone numbers.
 */
export function searchTerm(typed: string, { phones = true } = {}): SearchTerm | null {
  const line = normalise(typed);
  const term = phones && isPhoneLike(line) ? digitsOf(line) : line;
  if (term === '') return null;
  const pattern = `%${literal(term)}%`;
  if (term.length === 1) return { grams: [term.charCodeAt(0)], pattern };
  return { grams: Array.from({ length: term.length - 1 }, (_, at) => pair(term, at)), pattern };
}

/** Two UTF-16 code units in one signed 32-bit number: never equal to a single unit, since none is 0. */
function pair(line: string, at: number): number {
  return (line.charCodeAt(at) << 16) | line.charCodeAt(at + 1);
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
