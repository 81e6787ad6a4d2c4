import type { z } from 'zod';
import type { Text } from '../../../kernel/language.ts';
import { normalForm } from '../../../kernel/normal-form.ts';
import type { Parsed } from './field.ts';
import { issueCode } from './issue-code.ts';
import { issueText, ofCell } from './issue-text.ts';

/** What a cell becomes before the API's own schema judges it; undefined is not a value of the field at all. */
type Read = (cell: string) => unknown;

/**
 * Reads cells by the schema of the API's field, after `read` made of the text what a request would send. `expected` says
 * what the cell must be where no rule of the schema says it.
 */
export function byField(
  schema: z.ZodType,
  read: Read = (cell) => cell,
  expected?: Text,
): (cell: string) => Parsed {
  const wrong = (code: string, said?: Text): Parsed => {
    const detail = said ?? (expected && ofCell(expected));
    return { fault: code, ...(detail && { detail }) };
  };
  return (cell) => {
    const value = read(cell);
    if (value === undefined) return wrong('invalid_format');
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data };
    const issue = result.error.issues[0]!;
    return wrong(issueCode(issue), issueText(issue));
  };
}

/** What cells of such fields must be. */
export const expected = {
  number: { en: 'must be a number, as 1200 or 1,200.5', ja: 'は 1200、1,200.5 のような数で入力してください' },
  whole: {
    en: 'must be a whole number, as 1200 or 1,200',
    ja: 'は 1200、1,200 のような整数で入力してください',
  },
  day: {
    en: 'must be a day, as 2026-04-01, 2026/4/1 or 2026年4月1日',
    ja: 'は 2026-04-01、2026/4/1、2026年4月1日 のような日付で入力してください',
  },
  dayOfMonth: {
    en: 'must be the day alone, 1 to 28 or 末日 (end): the month (as 翌月) has a column of its own; of two terms (as 翌月末/翌月10日) keep the usual one, and write the other into the note',
    ja: 'は日だけを1つ、1〜28の日か末日で入力してください。翌月などの月は支払月の列に分け、条件が2つある場合（翌月末/翌月10日など）は通常のものを残して、もう一方を備考に書いてください',
  },
  monthsLater: {
    en: 'must be the month alone: 当月, 翌月, 翌々月 or a number of months from 0 to 6. The day has a column of its own; of two terms (as 翌月末/翌月10日) keep the usual one, and write the other into the note',
    ja: 'は月だけを、当月・翌月・翌々月または0〜6の月数で入力してください。日は支払日の列に分け、条件が2つある場合（翌月末/翌月10日など）は通常のものを残して、もう一方を備考に書いてください',
  },
  json: {
    en: 'must be a JSON object of texts, as {"name": "text"}',
    ja: 'は {"名前": "値"} の形のJSONで入力してください',
  },
} as const satisfies Record<string, Text>;

/** Text in the narrow forms of letters and digits, which is how addresses and numbers are meant. */
export function narrow(cell: string): string {
  return normalForm(cell, 'NFKC').trim();
}

/** Letters of a cell that may hold a number: no number of a record has half as many. */
const LONGEST_NUMBER = 100;

/** A number as people write it, for example `¥1,200,000` or `１２０円`: its decimal text. `120万` is none. */
export function decimalText(cell: string): string | undefined {
  if (cell.length > LONGEST_NUMBER) return undefined;
  const bare = narrow(cell).replace(/^[¥\\$]\s*/, '');
  const text = bare.endsWith('円') ? bare.slice(0, -1).trimEnd() : bare;
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain.replace(/^(-?)0+(?=\d)/, '$1') : undefined;
}

/** A whole number, with one of these words behind it where people write one: `80%`, `3月`. */
export function wholeNumber(unit = ''): Read {
  return (cell) => {
    const text = narrow(cell);
    const bare = unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length) : text;
    const exact = decimalText(bare)?.replace(/\.0+$/, '');
    return exact === undefined || exact.includes('.') ? undefined : Number(exact);
  };
}

const DAY = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/;

/** `2026-04-01`, and as spreadsheets write days: `2026/4/1`, `2026年4月1日`. The calendar is for the schema. */
export function dayText(cell: string): string | undefined {
  const [, year, month, day] = DAY.exec(narrow(cell)) ?? [];
  return year && `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

const YES = new Set(['true', 'yes', 'y', '1', 'on', 'はい', '有', '有り', 'あり', '○', '◯', '〇', '✓']);
const NO = new Set(['false', 'no', 'n', '0', 'off', 'いいえ', '無', '無し', 'なし', '×', '✗']);

/** A yes or no, in the words that exports use. */
export function yesOrNo(cell: string): boolean | undefined {
  const word = narrow(cell).toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/**
 * Several values in one cell, `;` between them, each once. Exports put `\` before a `;` or `\` that belongs to a value.
 */
export function several(cell: string): string[] {
  const parts = cell.match(/(?:\\[;；\\]|[^;；])+/g) ?? [];
  const values = parts.map((part) => part.replace(/\\([;；\\])/g, '$1').trim());
  return [...new Set(values.filter((value) => value !== ''))];
}
