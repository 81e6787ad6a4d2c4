import { z } from 'zod';
import type { Parsed } from './field.ts';

type Parse = (cell: string) => Parsed;

/** Text without spaces around it, of `longest` characters at most: `too_long`. */
export function textOf(longest: number): Parse {
  return (cell) => {
    const value = cell.trim();
    return value.length > longest ? { fault: 'too_long' } : { value };
  };
}

const EMAIL = z.regexes.html5Email;
const LONGEST_EMAIL = 254;

/**
 * An e-mail by the HTML standard's rule, 254 characters at most; full-width letters become ASCII: `invalid_email`.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export function emailOf(cell: string): Parsed {
  const trimmed = cell.trim();
  if (trimmed.length <= LONGEST_EMAIL && EMAIL.test(trimmed)) return { value: trimmed };
  const value = trimmed.normalize('NFKC').trim();
  return value.length <= LONGEST_EMAIL && EMAIL.test(value) ? { value } : { fault: 'invalid_email' };
}

/** Whether a cell is an e-mail with a domain that has a dot, which nothing else looks like. */
export function isLikeEmail(cell: string): boolean {
  const parsed = emailOf(cell);
  return 'value' in parsed && /@.+\../.test(parsed.value as string);
}

/** A phone number with ASCII digits and marks, as written else, of 50 characters at most: `too_long`. */
export function phoneOf(cell: string): Parsed {
  return textOf(50)(cell.normalize('NFKC').replace(/[‐‑‒–—―−ー]/g, '-'));
}

/** A number as offices write it, `¥1,234` or `１２３４円`, as plain digits; null where it is none. */
function plainNumber(cell: string): string | null {
  const text = cell.normalize('NFKC').replace(/−/g, '-').replace(/\s/g, '');
  const match = /^(?<sign>[-+]?)[¥\\]?(?<whole>\d{1,3}(,\d{3})+|\d+)(?<fraction>\.\d+)?円?$/.exec(text);
  if (match?.groups === undefined) return null;
  const { sign, whole, fraction = '' } = match.groups;
  return `${sign === '-' ? '-' : ''}${whole!.replaceAll(',', '').replace(/^0+(?=\d)/, '')}${fraction}`;
}

/** A whole number between two bounds: `invalid_number`, `out_of_range`. Full-width digits and `1,234` are taken. */
export function integerOf(least: number, most: number): Parse {
  return (cell) => {
    const digits = plainNumber(cell)?.replace(/\.0+$/, '') ?? '';
    if (!/^-?\d+$/.test(digits)) return { fault: 'invalid_number' };
    const value = Number(digits);
    return value < least || value > most ? { fault: 'out_of_range' } : { value };
  };
}

/** An exact decimal as text, for example "1234.5", of 40 characters at most: `invalid_number`. */
export function decimalOf(cell: string): Parsed {
  const value = plainNumber(cell);
  return value === null || value.length > 40 ? { fault: 'invalid_number' } : { value };
}

/** The years before the first of each era, by its name and its letter. */
const ERAS: Record<string, number> = { 令和: 2018, r: 2018, 平成: 1988, h: 1988, 昭和: 1925, s: 1925 };

const DAY =
  /^(?:(?<year>\d{4})|(?<era>令和|平成|昭和|[rhs])(?<eraYear>\d{1,2}|元))(?:[-/.]|年)(?<month>\d{1,2})(?:[-/.]|月)(?<day>\d{1,2})日?$/;

/**
 * A day as `YYYY-MM-DD`, from that, `2026/4/1`, `2026年4月1日`, `20260401` or a Japanese year (`令和8年4月1日`,
 * `R8.4.1`): `invalid_date`.
 */
export function dayOf(cell: string): Parsed {
  const text = cell
    .normalize('NFKC')
    .replace(/\s/g, '')
    .toLowerCase()
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const groups = DAY.exec(text)?.groups;
  if (groups === undefined) return { fault: 'invalid_date' };
  const eraYear = groups['eraYear'] === '元' ? 1 : Number(groups['eraYear']);
  const year = groups['year'] === undefined ? ERAS[groups['era']!]! + eraYear : Number(groups['year']);
  try {
    const day = { year, month: Number(groups['month']), day: Number(groups['day']) };
    return year < 1
      ? { fault: 'invalid_date' }
      : { value: Temporal.PlainDate.from(day, { overflow: 'reject' }).toString() };
  } catch {
    return { fault: 'invalid_date' };
  }
}

/** One of a few values, by the value itself or another name for it: `invalid_choice`. */
export function choiceOf(choices: Readonly<Record<string, readonly string[]>>): Parse {
  const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase();
  const values = new Map(
    Object.entries(choices).flatMap(([value, names]) => [value, ...names].map((name) => [fold(name), value])),
  );
  return (cell) => {
    const value = values.get(fold(cell));
    return value === undefined ? { fault: 'invalid_choice' } : { value };
  };
}
