import { says } from '../kernel/language.ts';
import { day, timestampInput } from '../kernel/schema.ts';

/** The years that attendance takes: days are computed around each date, and every call looks at a bounded number of them. */
const FIRST_YEAR = '1900';
const LAST_YEAR = '2199';

const OUT_OF_RANGE = {
  params: { code: 'out_of_range' },
  error: says({
    en: `must be of the years ${FIRST_YEAR} to ${LAST_YEAR}`,
    ja: `は${FIRST_YEAR}年から${LAST_YEAR}年までの日付で指定してください`,
  }),
};

const isTaken = (value: string) => FIRST_YEAR <= value.slice(0, 4) && value.slice(0, 4) <= LAST_YEAR;

/** A day (YYYY-MM-DD) that a caller names: of the years 1900 to 2199. */
export function attendanceDay() {
  return day()
    .refine(isTaken, OUT_OF_RANGE)
    .meta({ examples: ['2026-04-01'] });
}

/** An instant that a caller names, as ISO 8601 with its zone: of the years 1900 to 2199 in UTC. */
export function attendanceTime() {
  return timestampInput()
    .refine(isTaken, OUT_OF_RANGE)
    .meta({ examples: ['2026-04-01T00:30:00.000Z'] });
}
