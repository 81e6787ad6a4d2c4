import { MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import type { FieldOf, Option } from '../schema/schema.ts';
import { type AnswerFault, type AnswerList, type Read, sentences, tooFew, tooMany, wrong } from './faults.ts';
import type { Reads } from './reads.ts';
import { isParts, isUnanswered, pointerStep, storedText } from './values.ts';

/** Characters of a text that stands for an option of one's own. */
export const LONGEST_OTHER = 255;

/** Reads `true` or `false`; of a consent `false` is no answer. */
export function readsBoolean({ type }: FieldOf<'yes_no' | 'consent'>): Reads {
  return (value) => {
    if (typeof value !== 'boolean') {
      return wrong('wrong_type', {
        en: 'This must be true or false',
        ja: 'true か false で指定してください',
      });
    }
    return type === 'consent' && !value ? null : { answer: value };
  };
}

/** Reads the ID of an option, or a text of one's own where the field allows it. */
export function readsChoice({ options, allow_other = false }: FieldOf<'choice' | 'dropdown'>): Reads {
  const ids = idsOf(options);
  return (value) => {
    const one = readOne(value, ids, allow_other, '');
    if (one === null) return null;
    return 'code' in one ? { faults: [one] } : { answer: one.chosen };
  };
}

/** Reads several options; they are stored in the form's order, a text of one's own last. */
export function readsChoices({
  options,
  allow_other = false,
  min_selected = 0,
  max_selected = options.length + 1,
}: FieldOf<'multi_choice'>): Reads {
  const ids = idsOf(options);
  return (value) => {
    const list = readList(value, ids, allow_other);
    if (list === null || 'faults' in list) return list;
    if (list.answer.length < min_selected) return wrong('too_few', tooFew(min_selected));
    if (list.answer.length > max_selected) return wrong('too_many', tooMany(max_selected));
    return list;
  };
}

/** Reads an order of all options. */
export function readsRanking({ options }: FieldOf<'ranking'>): Reads {
  const ids = idsOf(options);
  return (value) => {
    const list = readList(value, ids, false, false);
    if (list === null || 'faults' in list) return list;
    if (list.answer.length === options.length) return list;
    return wrong('too_few', { en: 'Give every option a place', ja: 'すべての選択肢に順位を付けてください' });
  };
}

/** Reads a column, or several, for each row. What is wrong is said row by row. */
export function readsMatrix({ rows, columns, multiple = false }: FieldOf<'matrix'>): Reads {
  const row_ids = idsOf(rows);
  const ids = idsOf(columns);
  return (value) => {
    if (!isParts(value)) return wrong('wrong_type', sentences.not_parts);
    const faults: AnswerFault[] = [];
    const answer: Record<string, string | readonly string[]> = {};
    for (const id of Object.keys(value)) {
      if (!row_ids.has(id) && faults.length < MOST_FIELD_ERRORS)
        faults.push({ part: pointerStep(id), code: 'unknown_option', message: sentences.unknown_option });
    }
    for (const { id } of rows) {
      if (!Object.hasOwn(value, id) || isUnanswered(value[id])) continue;
      const read = multiple ? readList(value[id], ids, false) : readColumn(value[id], ids);
      if (read === null) continue;
      if ('answer' in read) answer[id] = read.answer as string | readonly string[];
      else faults.push(...read.faults.map((fault) => ({ ...fault, part: `/${id}${fault.part}` })));
    }
    if (faults.length > 0) return { faults };
    return Object.keys(answer).length > 0 ? { answer } : null;
  };
}

function readColumn(value: unknown, ids: ReadonlyMap<string, number>): Read {
  const one = readOne(value, ids, false, '');
  if (one === null) return null;
  return 'code' in one ? { faults: [one] } : { answer: one.chosen as string };
}

/** IDs of options with their places. */
function idsOf(options: readonly Option[]): ReadonlyMap<string, number> {
  return new Map(options.map(({ id }, place) => [id, place]));
}

type Chosen = { chosen: string | { other: string } };

/** One option; null for a text of one's own that is blank. */
function readOne(
  value: unknown,
  ids: ReadonlyMap<string, number>,
  allow_other: boolean,
  part: string,
): Chosen | AnswerFault | null {
  if (typeof value === 'string') {
    return ids.has(value)
      ? { chosen: value }
      : { part, code: 'unknown_option', message: sentences.unknown_option };
  }
  if (!allow_other || !isParts(value) || Object.keys(value).join() !== 'other') {
    return { part, code: 'wrong_type', message: sentences.unknown_option };
  }
  if (isUnanswered(value['other'])) return null;
  const other = storedText(value['other'], { is_one_line: true, most: LONGEST_OTHER, part: `${part}/other` });
  return typeof other === 'string' ? { chosen: { other } } : other;
}

/** Distinct options; in the order of the form, or in that of the answer where it means something. */
function readList(
  value: unknown,
  ids: ReadonlyMap<string, number>,
  allow_other: boolean,
  is_sorted = true,
): { answer: AnswerList } | { faults: AnswerFault[] } | null {
  if (!Array.isArray(value)) return wrong('wrong_type', sentences.not_list);
  const faults: AnswerFault[] = [];
  const chosen: (string | { other: string })[] = [];
  for (const [index, each] of value.entries()) {
    if (faults.length === MOST_FIELD_ERRORS) break;
    const one = readOne(each, ids, allow_other, `/${index}`);
    if (one === null) continue;
    if ('code' in one) faults.push(one);
    else chosen.push(one.chosen);
  }
  if (faults.length > 0) return { faults };
  const named = chosen.map((each) => (typeof each === 'string' ? each : ''));
  if (new Set(named).size < named.length) return wrong('invalid_format', sentences.repeated);
  if (chosen.length === 0) return null;
  const placeOf = (each: string | { other: string }): number =>
    typeof each === 'string' ? ids.get(each)! : ids.size;
  return { answer: is_sorted ? chosen.toSorted((a, b) => placeOf(a) - placeOf(b)) : chosen };
}
