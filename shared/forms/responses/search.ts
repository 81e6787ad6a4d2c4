import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { type Faceted, facetsOf } from './facets.ts';

/** The types of field whose answers are texts that a response is found by. */
const SEARCHED: ReadonlySet<string> = new Set([
  'short_text',
  'long_text',
  'email',
  'phone',
  'url',
  'name',
  'address',
]);

/** The columns that search reads. */
export type ResponseSearch = { search_text: string; search_grams: number[] };

/**
 * What a response is found by: the texts among its answers, parts of names and addresses each, names also in one word, and the
 * text of an option "other"; with its facets. `fields` are those of its version.
 */
export function responseSearch(
  response: Faceted,
  fields: readonly { id: string; type: string }[],
): ResponseSearch {
  const search_text = searchText(fields.flatMap(({ id, type }) => linesOf(type, response.data[id])));
  return { search_text, search_grams: [...gramsOf(search_text), ...facetsOf(response)] };
}

function linesOf(type: string, answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap((one) => linesOf(type, one));
  if (typeof answer === 'string') return SEARCHED.has(type) ? [answer] : [];
  if (typeof answer !== 'object' || answer === null) return [];
  if (!SEARCHED.has(type)) return 'other' in answer && typeof answer.other === 'string' ? [answer.other] : [];
  const parts = Object.values(answer).filter((part) => typeof part === 'string');
  return type === 'name' ? [...parts, ...wholeNames(answer)] : parts;
}

function wholeNames(answer: object): string[] {
  const { last_name, first_name, last_name_kana, first_name_kana } = answer as Record<string, string>;
  const pairs = [
    [last_name, first_name],
    [last_name_kana, first_name_kana],
  ];
  return pairs.flatMap(([last, first]) => (last && first ? [`${last} ${first}`, `${last}${first}`] : []));
}
