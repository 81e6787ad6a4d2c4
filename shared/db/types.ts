import pg from 'pg';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;

/**
 * How values leave the database: instants as the API shows them (ISO 8601, UTC, milliseconds), days as YYYY-MM-DD,
 * counts as numbers where they are exact, `numeric` as text, which stays exact.
 */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === TIMESTAMPTZ) return instant;
    if (oid === DATE) return String;
    if (oid === BIGINT) return wholeNumber;
    return pg.types.getTypeParser(oid, 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

/** `2026-11-21 10:04:42.12+00` -> `2026-11-21T10:04:42.120Z`. */
export function instant(text: string): string {
  if (!text.endsWith('+00') || text[10] !== ' ') return new Date(text).toISOString();
  const milliseconds = text[19] === '.' ? text.slice(20, Math.min(23, text.length - 3)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds.padEnd(3, '0')}Z`;
}

function wholeNumber(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}
