import type { FieldError } from '../../kernel/failure.ts';
import { isBound } from '../answers/numbers.ts';
import { compareDecimals, plainDecimal } from '../replay/replay.ts';
import { leavesOf } from './condition.ts';
import { type Place, schemaFault } from './places.ts';
import { type Field, fieldsOf, type Option, type Schema } from './schema.ts';
import { placedConditions, placedFields } from './walk.ts';

const MOST_FIELDS = 200;
const MOST_LEAVES = 500;

/** What is wrong with a schema beyond the shape of its parts: repeated IDs, sums beyond their limits, bounds that contradict. */
export function structureFaults(schema: Schema): FieldError[] {
  return [
    ...sumFaults(schema),
    ...idFaults(schema),
    ...placedFields(schema).flatMap(({ field, place }) => fieldFaults(field, place)),
  ];
}

function sumFaults(schema: Schema): FieldError[] {
  const faults: FieldError[] = [];
  if (fieldsOf(schema).length > MOST_FIELDS) {
    faults.push(
      schemaFault(['pages'], 'too_large', {
        en: `may have ${MOST_FIELDS} fields together`,
        ja: `の項目は合計${MOST_FIELDS}個までです`,
      }),
    );
  }
  const leaves = placedConditions(schema).reduce((sum, { condition }) => sum + leavesOf(condition).length, 0);
  if (leaves > MOST_LEAVES) {
    faults.push(
      schemaFault([], 'too_large', {
        en: `may ask about fields ${MOST_LEAVES} times in its conditions`,
        ja: `の条件は合計${MOST_LEAVES}個までです`,
      }),
    );
  }
  return faults;
}

/** Fields, pages, hidden names and scores share one name space; endings, and the options of a field, have their own. */
function idFaults(schema: Schema): FieldError[] {
  const { pages, endings = [], hidden = [], scores = [] } = schema;
  const placed = placedFields(schema);
  const names = [
    ...pages.flatMap(({ id }, page) => [
      { id, place: ['pages', page, 'id'] },
      ...placed
        .filter(({ place }) => place[1] === page)
        .map(({ field, place }) => ({ id: field.id, place: [...place, 'id'] })),
    ]),
    ...hidden.map((id, number) => ({ id, place: ['hidden', number] })),
    ...scores.map(({ name }, number) => ({ id: name, place: ['scores', number, 'name'] })),
  ];
  return [
    ...repeated(names),
    ...repeated(endings.map(({ id }, number) => ({ id, place: ['endings', number, 'id'] }))),
    ...placed.flatMap(({ field, place }) => {
      const lists = {
        options: 'options' in field ? field.options : [],
        ...(field.type === 'matrix' && linesOf(field)),
      };
      return Object.entries(lists).flatMap(([list, options]) =>
        repeated(options.map(({ id }, number) => ({ id, place: [...place, list, number, 'id'] }))),
      );
    }),
  ];
}

function linesOf({
  rows,
  columns,
}: Extract<Field, { type: 'matrix' }>): Record<'rows' | 'columns', Option[]> {
  return { rows, columns };
}

function repeated(names: readonly { id: string; place: Place }[]): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap(({ id, place }) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [schemaFault(place, 'duplicate', { en: 'is used already', ja: 'はすでに使われています' })];
  });
}

function fieldFaults(field: Field, place: Place): FieldError[] {
  const faults: FieldError[] = [];
  const refuse = (member: string, code: string, en: string, ja: string): void => {
    faults.push(schemaFault([...place, member], code, { en, ja }));
  };
  const ordered = (least: string, most: string, isOrdered: boolean): void => {
    if (!isOrdered)
      refuse(most, 'too_small', `must not lie below ${least}`, `は ${least} 以上で指定してください`);
  };
  if (field.type === 'statement' || field.type === 'file') {
    const members =
      field.type === 'file' ? (['default'] as const) : (['default', 'required', 'required_if'] as const);
    for (const member of members) {
      if (field[member] === undefined) continue;
      refuse(member, 'not_allowed', 'is not for a field of this type', 'はこの種類の項目では指定できません');
    }
  }
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      ordered('min_length', 'max_length', isUpwards(field.min_length, field.max_length));
      break;
    case 'multi_choice':
      ordered('min_selected', 'max_selected', isUpwards(field.min_selected, field.max_selected));
      break;
    case 'scale':
      ordered('min', 'max', field.min < field.max);
      break;
    case 'number': {
      const [least, most] = [field.min, field.max].map(
        (bound) => bound !== undefined && plainDecimal(String(bound)),
      );
      ordered('min', 'max', !least || !most || compareDecimals(least, most) <= 0);
      break;
    }
    case 'date':
    case 'time':
    case 'datetime': {
      for (const member of ['min', 'max'] as const) {
        const bound = field[member];
        if (bound === undefined || isBound(field.type, bound)) continue;
        refuse(member, 'invalid_format', 'is no value of this type', 'はこの種類の値ではありません');
      }
      const isFixed = !field.min?.startsWith('today') && !field.max?.startsWith('today');
      ordered('min', 'max', !isFixed || isUpwards(field.min, field.max));
      break;
    }
    default:
  }
  return faults;
}

function isUpwards<Bound extends string | number>(
  least: Bound | undefined,
  most: Bound | undefined,
): boolean {
  return least === undefined || most === undefined || least <= most;
}
