import type { Reader } from '../../kernel/reader.ts';
import { periodOfDate } from '../days/periods.ts';
import { type DatedRow, todayBy } from './dated.ts';
import { ruleSettings } from './rules.ts';

/**
 * The first day of the first open period: what is changed without a date changes from then on. While no period is closed
 * for anybody that is the running one.
 */
export function firstOpenDay(rows: readonly DatedRow[], { now }: Pick<Reader, 'now'>): string {
  return periodOfDate(ruleSettings(rows, { agreements: [] }), todayBy(rows, now)).start;
}
