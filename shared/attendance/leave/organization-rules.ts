import type { Reader } from '../../kernel/reader.ts';
import { type Rules, rulesOf } from '../days/rules.ts';
import type { DatedSettings, Holiday } from '../days/types.ts';
import { allSchedules } from '../schedules/queries.ts';
import { type DatedRow, settingsOn } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';

/** What an organization laid down for its days: settings of all dates, schedules, and holidays from a date to another. */
export async function organizationRules(
  reader: Reader,
  { from, to }: { from: string; to: string },
): Promise<Rules> {
  const [rows, schedules, holidays] = await Promise.all([
    datedRows(reader),
    allSchedules(reader),
    reader.connection.query<Omit<Holiday, 'kind'>>(
      `SELECT date, counts_as FROM attendance_holidays
        WHERE organization_id = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
      [reader.organization_id, from, to],
    ),
  ]);
  return rulesOf({
    settings: wholeRows(rows),
    schedules,
    holidays: holidays.map((row) => ({ ...row, kind: 'company' })),
  });
}

/** Each row with all that holds on its date; the first one is that of the defaults. */
function wholeRows(rows: readonly DatedRow[]): DatedSettings[] {
  const dates = ['0001-01-01', ...rows.map(({ effective_from }) => effective_from)];
  return [...new Set(dates)].map((effective_from) => ({
    effective_from,
    ...settingsOn(rows, effective_from),
    agreements: [],
  }));
}
