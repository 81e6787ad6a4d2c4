import type { Text } from '../../kernel/language.ts';
import { withDividedRuns } from '../../kernel/normal-form.ts';
import { DATE, DATE_TIME, TIME } from '../answers/grammar.ts';
import { type AskedLeaf, plainDecimal, plainText } from '../replay/replay.ts';
import type { Leaf, LeafValue } from './condition.ts';
import type { Field, FieldOf, Option, Schema } from './schema.ts';
import type { Operator } from './words.ts';

/** Something that conditions can ask about: what they name, and how they may ask. */
export type Subject = {
  field: string;
  row?: string;
  is_decimal?: true;
  operators: readonly Operator[];
  /** The value of a condition as answers are stored; null where no answer could be so. */
  storedValue(value: LeafValue): LeafValue | null;
};

const ANSWERED: readonly Operator[] = ['answered', 'not_answered'];
const EQUALITY: readonly Operator[] = [...ANSWERED, 'equals', 'not_equals'];
const ORDER: readonly Operator[] = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'];

/** All subjects of a schema by the names that conditions use, each with its place: hidden names stand before all fields. */
export function subjectsOf({ pages, hidden = [] }: Schema): Map<string, { subject: Subject; place: number }> {
  const fields = pages.flatMap((page) => page.fields);
  const named = hidden.map((name) => [name, { subject: textSubject(name, false), place: -1 }] as const);
  const asked = fields.flatMap((field, place) =>
    subjectsOfField(field).map(
      (subject) =>
        [
          subject.row === undefined ? subject.field : `${subject.field}.${subject.row}`,
          { subject, place },
        ] as const,
    ),
  );
  return new Map([...named, ...asked]);
}

/** A leaf as it is replayed, or what is wrong with it: the member, a code and a predicate. */
export function askedLeaf(
  { op, value }: Leaf,
  { field, row, is_decimal, operators, storedValue }: Subject,
): AskedLeaf | { member: string; code: string; predicate: Text } {
  if (!operators.includes(op)) {
    return {
      member: 'op',
      code: 'wrong_operator',
      predicate: {
        en: `must be one of ${operators.join(', ')} for this field`,
        ja: `はこの項目では ${operators.join('、')} のいずれかで指定してください`,
      },
    };
  }
  const about = { field, op, ...(row !== undefined && { row }), ...(is_decimal && { is_decimal }) };
  if (value === undefined) return about;
  const stored = storedValue(value);
  // A list belongs to the operators that ask for one of several.
  if (stored === null || Array.isArray(stored) !== (op === 'any_of' || op === 'none_of')) {
    return {
      member: 'value',
      code: 'wrong_value',
      predicate: { en: 'is no answer that this field could have', ja: 'はこの項目の回答にならない値です' },
    };
  }
  return { ...about, value: stored };
}

function subjectsOfField(field: Field): Subject[] {
  const { id } = field;
  switch (field.type) {
    case 'short_text':
    case 'email':
    case 'phone':
    case 'url':
      return [textSubject(id, true)];
    case 'long_text':
      return [textSubject(id, false)];
    case 'number':
      return [{ field: id, is_decimal: true, operators: ORDER, storedValue: decimalValue }];
    case 'date':
    case 'time':
    case 'datetime': {
      const form = { date: DATE, time: TIME, datetime: DATE_TIME }[field.type];
      return [{ field: id, operators: ORDER, storedValue: (value) => matching(value, form) }];
    }
    case 'choice':
    case 'dropdown':
      return [optionSubject({ field: id }, field.options, false)];
    case 'multi_choice':
      return [optionSubject({ field: id }, field.options, true)];
    case 'yes_no':
    case 'consent':
      return [
        {
          field: id,
          operators: EQUALITY,
          storedValue: (value) => (typeof value === 'boolean' ? value : null),
        },
      ];
    case 'rating':
    case 'nps':
    case 'scale':
      return [{ field: id, operators: ORDER, storedValue: markValue }];
    case 'matrix':
      return [wholeSubject(id), ...rowSubjects(field)];
    case 'statement':
      return [];
    default:
      return [wholeSubject(id)];
  }
}

function rowSubjects({ id, rows, columns, multiple = false }: FieldOf<'matrix'>): Subject[] {
  return rows.map((row) => optionSubject({ field: id, row: row.id }, columns, multiple));
}

function wholeSubject(field: string): Subject {
  return { field, operators: ANSWERED, storedValue: () => null };
}

function textSubject(field: string, is_one_line: boolean): Subject {
  return {
    field,
    operators: [...EQUALITY, 'contains'],
    storedValue: (value) => {
      const text = typeof value === 'string' ? plainText(withDividedRuns(value), is_one_line) : '';
      return text === '' ? null : text;
    },
  };
}

function optionSubject(
  about: { field: string; row?: string },
  options: readonly Option[],
  is_list: boolean,
): Subject {
  const isOption = (value: unknown): boolean => options.some(({ id }) => id === value);
  const single: readonly Operator[] = is_list ? [...ANSWERED, 'contains'] : EQUALITY;
  return {
    ...about,
    operators: [...single, 'any_of', 'none_of'],
    storedValue: (value) => {
      const isGood = Array.isArray(value) ? value.length > 0 && value.every(isOption) : isOption(value);
      return isGood ? value : null;
    },
  };
}

function decimalValue(value: LeafValue): string | null {
  return typeof value === 'string' || typeof value === 'number' ? plainDecimal(String(value)) : null;
}

function matching(value: LeafValue, form: RegExp): string | null {
  return typeof value === 'string' && form.test(value) ? value : null;
}

function markValue(value: LeafValue): number | null {
  const mark = Number(decimalValue(value) ?? Number.NaN);
  return Number.isInteger(mark) ? mark : null;
}
