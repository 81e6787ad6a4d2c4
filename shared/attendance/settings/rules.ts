import type { DatedSettings } from '../days/types.ts';
import { type DatedRow, settingsOn } from './dated.ts';
import type { PlainFields } from './fields.ts';

/** The first day of the calendar: what holds from the beginning has a row there. */
const BEGINNING = '0001-01-01';

/** The dated settings as the rules of days take them: whole rows, the first of them the defaults. */
export function ruleSettings(
  rows: readonly DatedRow[],
  { agreements }: Pick<PlainFields, 'agreements'>,
): DatedSettings[] {
  const dates = [BEGINNING, ...rows.map(({ effective_from }) => effective_from)];
  return [...new Set(dates)].map((effective_from) => ({
    effective_from,
    ...settingsOn(rows, effective_from),
    agreements,
  }));
}
