import type { Text } from '../kernel/language.ts';

export const numberResets = ['year', 'never', 'fiscal_year', 'month'] as const;

export type NumberReset = (typeof numberResets)[number];

/** How the documents of one kind are numbered; `fiscal_year_start_month` is 1 to 12. */
export type Numbering = { pattern: string; reset: NumberReset; fiscal_year_start_month: number };

/** What is wrong with a pattern, in words for the one who wrote it. */
export type PatternFault = { code: 'invalid_pattern' | 'pattern_lacks_period'; message: Text };

const PLACE = /\{([^{}]*)\}/g;
const SEQUENCE = /^SEQ:([1-9]|10)$/;

/** Letters, digits and the signs between them. File names replace `/`, and can hold all the others. */
const LITERAL = /^[\p{L}\p{N}\-_./ #()]*$/u;

/** Checks a pattern such as `INV-{YYYY}-{SEQ:4}`; null when it is right. */
export function patternFault(pattern: string, reset: NumberReset): PatternFault | null {
  const places = [...pattern.matchAll(PLACE)].map(([, name = '']) => name);
  const invalid = (message: Text): PatternFault => ({ code: 'invalid_pattern', message });
  const unknown = places.find((name) => !['YYYY', 'YY', 'MM'].includes(name) && !SEQUENCE.test(name));
  if (unknown !== undefined) {
    return invalid({
      en: `{${unknown}} is unknown: there are {YYYY}, {YY}, {MM} and {SEQ:n}, n from 1 to 10`,
      ja: `{${unknown}} は使えません。使えるのは {YYYY}、{YY}、{MM} と {SEQ:n}（nは1〜10）です`,
    });
  }
  if (places.filter((name) => SEQUENCE.test(name)).length !== 1) {
    return invalid({ en: '{SEQ:n} must stand in it exactly once', ja: '{SEQ:n} は1回だけ指定してください' });
  }
  if (!LITERAL.test(pattern.replaceAll(PLACE, ''))) {
    return invalid({
      en: 'beside its places it may have letters, digits, spaces and - _ . / # ( )',
      ja: '置き換え以外に使えるのは、文字、数字、空白と - _ . / # ( ) です',
    });
  }
  const hasYear = places.includes('YYYY') || places.includes('YY');
  const lacks = (what: Text): PatternFault => ({
    code: 'pattern_lacks_period',
    message: {
      en: `numbers that begin again each ${reset === 'month' ? 'month' : 'year'} need ${what.en} in the pattern`,
      ja: `${reset === 'month' ? '月' : '年'}ごとに連番を振り直す場合は、パターンに${what.ja}が必要です`,
    },
  });
  if (reset === 'month' && !(hasYear && places.includes('MM')))
    return lacks({ en: '{YYYY} or {YY}, and {MM}', ja: '{YYYY} か {YY} と {MM} ' });
  if ((reset === 'year' || reset === 'fiscal_year') && !hasYear)
    return lacks({ en: '{YYYY} or {YY}', ja: '{YYYY} か {YY} ' });
  return null;
}

/**
 * The period whose counter gives the number of a document of that day (YYYY-MM-DD): `2026`, `2026-04`, or `all` where
 * the numbers never begin again.
 */
export function periodOf(issue_date: string, numbering: Numbering): string {
  if (numbering.reset === 'never') return 'all';
  if (numbering.reset === 'month') return issue_date.slice(0, 7);
  return yearOf(issue_date, numbering);
}

/** What stands before and after the sequence in a number, and how many digits the sequence has at least. */
export type NumberParts = { before: string; width: number; after: string };

/** The number itself: `INV-2026-0042`. A sequence beyond its width takes more digits. */
export function formatNumber({ before, width, after }: NumberParts, sequence: number): string {
  return `${before}${String(sequence).padStart(width, '0')}${after}`;
}

/** The parts of the numbers of that day. */
export function numberParts(numbering: Numbering, issue_date: string): NumberParts {
  const year = yearOf(issue_date, numbering);
  const filled = numbering.pattern
    .replaceAll('{YYYY}', year)
    .replaceAll('{YY}', year.slice(2))
    .replaceAll('{MM}', issue_date.slice(5, 7));
  const [before = '', width = '1', after = ''] = filled.split(/\{SEQ:(\d+)\}/);
  return { before, width: Number(width), after };
}

/** The calendar year, or the first year of the fiscal one where the numbers follow it. */
function yearOf(issue_date: string, { reset, fiscal_year_start_month }: Numbering): string {
  const year = Number(issue_date.slice(0, 4));
  const isBeforeStart = Number(issue_date.slice(5, 7)) < fiscal_year_start_month;
  return String(reset === 'fiscal_year' && isBeforeStart ? year - 1 : year).padStart(4, '0');
}
