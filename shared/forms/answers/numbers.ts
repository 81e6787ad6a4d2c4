import { daysLater } from '../../kernel/days.ts';
import { isStorable } from '../../kernel/schema.ts';
import { compareDecimals, plainDecimal } from '../replay/replay.ts';
import type { FieldOf } from '../schema/schema.ts';
import { outOfRange, outsideDays, type Read, sentences, wrong } from './faults.ts';
import { DATE, DATE_TIME, TIME } from './grammar.ts';
import type { Reads } from './reads.ts';
import { numberText, storedText } from './values.ts';

/** Reads a decimal, exact, from text or from a number of JSON. */
export function readsNumber({ min, max, decimals = 0 }: FieldOf<'number'>): Reads {
  const least = min === undefined ? undefined : plainDecimal(String(min))!;
  const most = max === undefined ? undefined : plainDecimal(String(max))!;
  return (value) => {
    const text = typeof value === 'string' ? value : numberText(value);
    if (text === null)
      return wrong('wrong_type', { en: 'This must be a number', ja: '数値で入力してください' });
    if (!isStorable(text)) return wrong('bad_characters', sentences.bad_characters);
    const decimal = plainDecimal(text);
    if (decimal === null || (decimal.split('.')[1] ?? '').length > decimals) return notDecimal(decimals);
    const isTooLow = least !== undefined && compareDecimals(decimal, least) < 0;
    const isTooHigh = most !== undefined && compareDecimals(decimal, most) > 0;
    return isTooLow || isTooHigh ? wrong('out_of_range', outOfRange(least, most)) : { answer: decimal };
  };
}

function notDecimal(decimals: number): Read {
  if (decimals === 0)
    return wrong('invalid_format', { en: 'Enter a whole number', ja: '整数で入力してください' });
  return wrong('invalid_format', {
    en: `Enter a number with at most ${decimals} decimals`,
    ja: `小数点以下${decimals}桁までの数値で入力してください`,
  });
}

/** The lowest and the highest mark of a field. */
export function marksOf(field: FieldOf<'rating' | 'nps' | 'scale'>): [least: number, most: number] {
  if (field.type === 'nps') return [0, 10];
  return field.type === 'rating' ? [1, field.max ?? 5] : [field.min, field.max];
}

/** Reads a mark: a whole number of JSON. */
export function readsMark(field: FieldOf<'rating' | 'nps' | 'scale'>): Reads {
  const [least, most] = marksOf(field);
  return (value) => {
    const text = numberText(value);
    const mark = text === null ? Number.NaN : Number(text);
    if (!Number.isInteger(mark)) {
      return wrong('wrong_type', { en: 'This must be a whole number', ja: '整数で指定してください' });
    }
    return mark < least || mark > most ? wrong('out_of_range', outOfRange(least, most)) : { answer: mark };
  };
}

export type DayField = FieldOf<'date' | 'time' | 'datetime'>;

const FORMS = {
  date: DATE,
  time: TIME,
  datetime: DATE_TIME,
} as const satisfies Record<DayField['type'], RegExp>;

const EXAMPLES = {
  date: '2026-04-01',
  time: '09:30',
  datetime: '2026-04-01T09:30',
} as const satisfies Record<DayField['type'], string>;

/** A bound of days that moves: so many days after today, or before. */
const TODAY = /^today(?:([+-])(\d{1,5}))?$/;

/** Whether a bound of that type is one: a value of it, or for dates also `today`, `today+30`, `today-30`. */
export function isBound(type: DayField['type'], bound: string): boolean {
  return FORMS[type].test(bound) || (type === 'date' && TODAY.test(bound));
}

/** A bound as a value, on that day. */
export function boundOn(bound: string | undefined, today: string): string | undefined {
  const moving = bound === undefined ? null : TODAY.exec(bound);
  if (!moving) return bound;
  const days = Number(moving[2] ?? 0);
  return daysLater(today, moving[1] === '-' ? -days : days);
}

/** Reads a day, a time or both. Their texts sort as they do. */
export function readsDay({ type, min, max }: DayField): Reads {
  return (value, { today }) => {
    const text = storedText(value, { is_one_line: true });
    if (typeof text !== 'string') return { faults: [text] };
    if (!FORMS[type].test(text)) {
      const example = EXAMPLES[type];
      return wrong('invalid_format', {
        en: `Enter it in the form ${example}`,
        ja: `${example} の形式で、存在する日時を入力してください`,
      });
    }
    const [least, most] = [boundOn(min, today), boundOn(max, today)];
    const isOutside = (least !== undefined && text < least) || (most !== undefined && text > most);
    return isOutside ? wrong('out_of_range', outsideDays(least, most)) : { answer: text };
  };
}
