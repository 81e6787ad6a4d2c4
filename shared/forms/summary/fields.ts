import { inBoth } from '../schema/texts.ts';
import type { Catalogue, KnownField } from '../versions/catalogue.ts';
import { mean, middle, percentage } from './decimals.ts';
import type { SummedField } from './record.ts';

/** An answer that was given so often. */
export type CountedAnswer = { value: unknown; count: number };

/** What numbers of one field come to: exact decimals; `lower` and `upper` are the middle ones, or twice the one. */
export type NumbersOf = {
  count: number;
  min: string;
  max: string;
  sum: string;
  lower: string;
  upper: string;
};

/** What was read of the responses, each map by field. */
export type Counts = {
  /** Responses by the number of their version. */
  by_version: ReadonlyMap<number, number>;
  answered: ReadonlyMap<string, number>;
  answers: ReadonlyMap<string, readonly CountedAnswer[]>;
  numbers: ReadonlyMap<string, NumbersOf>;
};

/** The types whose answers are counted one by one. */
export const COUNTED: ReadonlySet<KnownField['type']> = new Set([
  'choice',
  'dropdown',
  'multi_choice',
  'ranking',
  'matrix',
  'yes_no',
  'consent',
  'nps',
]);

/** The types whose answers are numbers. */
export const NUMERIC: ReadonlySet<KnownField['type']> = new Set(['number', 'rating', 'nps', 'scale']);

/** Each field of all versions with what its answers come to; statements are none. */
export function summedFields({ fields, locale }: Catalogue, counts: Counts): SummedField[] {
  return fields
    .filter(({ type }) => type !== 'statement')
    .map((field) => {
      const { id, type, label, versions } = field;
      const answered = counts.answered.get(id) ?? 0;
      const asked = versions.reduce((sum, number) => sum + (counts.by_version.get(number) ?? 0), 0);
      return {
        id,
        type,
        label: inBoth(label)[locale],
        answered,
        skipped: asked - answered,
        ...ofType(field, answered, counts),
      };
    });
}

function ofType(field: KnownField, answered: number, { answers, numbers }: Counts): Partial<SummedField> {
  const given = answers.get(field.id) ?? [];
  const ids = field.options.map(({ id }) => id);
  switch (field.type) {
    case 'choice':
    case 'dropdown':
    case 'multi_choice':
      return { options: countedOptions(ids, given.flatMap(chosenIn), answered) };
    case 'ranking':
      return { options: countedOptions(ids, given.flatMap(firstIn), answered) };
    case 'yes_no':
      return { options: countedOptions(['true', 'false'], given, answered) };
    case 'consent':
      return { options: countedOptions(['true'], given, answered) };
    case 'matrix':
      return { rows: countedRows(field, given) };
    case 'nps':
      return { ...summedNumbers(numbers.get(field.id)), ...netPromoters(given, answered) };
    case 'number':
    case 'rating':
    case 'scale':
      return summedNumbers(numbers.get(field.id));
    default:
      return {};
  }
}

/** The single values of an answer, one or several. */
function chosenIn({ value, count }: CountedAnswer): CountedAnswer[] {
  return Array.isArray(value) ? value.map((one) => ({ value: one, count })) : [{ value, count }];
}

function firstIn({ value, count }: CountedAnswer): CountedAnswer[] {
  return Array.isArray(value) ? [{ value: value[0], count }] : [];
}

/** How often each option was chosen, then the other texts, where there are any. */
function countedOptions(ids: readonly string[], chosen: readonly CountedAnswer[], answered: number) {
  const sums = new Map<string, number>();
  let others = 0;
  for (const { value, count } of chosen) {
    if (typeof value === 'object') others += count;
    else sums.set(String(value), (sums.get(String(value)) ?? 0) + count);
  }
  const counted = ids.map((id) => optionOf(id, sums.get(id) ?? 0, answered));
  return others === 0 ? counted : [...counted, optionOf(null, others, answered)];
}

function optionOf(id: string | null, count: number, answered: number) {
  return { id, count, percent: percentage(count, answered) };
}

function countedRows({ rows, options }: KnownField, given: readonly CountedAnswer[]) {
  const ids = options.map(({ id }) => id);
  return rows.map(({ id }) => {
    const ofRow = given
      .map(({ value, count }) => ({ value: (value as Record<string, unknown>)[id], count }))
      .filter(({ value }) => value !== undefined);
    const answered = ofRow.reduce((sum, { count }) => sum + count, 0);
    return { id, answered, options: countedOptions(ids, ofRow.flatMap(chosenIn), answered) };
  });
}

function summedNumbers(numbers: NumbersOf | undefined): Partial<SummedField> {
  if (!numbers) return { min: null, max: null, mean: null, median: null };
  const { count, min, max, sum, lower, upper } = numbers;
  return { min, max, mean: mean(sum, count), median: middle(lower, upper) };
}

function netPromoters(given: readonly CountedAnswer[], answered: number): Partial<SummedField> {
  const within = (least: number, most: number) =>
    given.reduce(
      (sum, { value, count }) => sum + (Number(value) >= least && Number(value) <= most ? count : 0),
      0,
    );
  const promoters = within(9, 10);
  const detractors = within(0, 6);
  return {
    promoters,
    passives: within(7, 8),
    detractors,
    score: answered === 0 ? null : percentage(promoters - detractors, answered),
  };
}
