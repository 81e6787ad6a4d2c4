import { todayIn } from '../../kernel/days.ts';
import { type DatedChange, type DatedFields, defaultDated } from './fields.ts';

/** What was set from a date on: only the fields that changed then. */
export type DatedRow = { effective_from: string; settings: DatedChange };

/** What a change makes of settings. */
export function afterChange(before: DatedFields, { rounding, ...change }: DatedChange): DatedFields {
  return { ...before, ...change, rounding: { ...before.rounding, ...rounding } };
}

/** What holds on a day; rows are in the order of their dates. Before the first row the defaults hold. */
export function settingsOn(rows: readonly DatedRow[], date: string): DatedFields {
  let settings = defaultDated;
  for (const row of rows) {
    if (row.effective_from > date) break;
    settings = afterChange(settings, row.settings);
  }
  return settings;
}

/** The rows with one more change from a day on: a later one of the same day joins the earlier one, and wins. */
export function withChange(rows: readonly DatedRow[], { effective_from, settings }: DatedRow): DatedRow[] {
  const before = rows.find((row) => row.effective_from === effective_from)?.settings ?? {};
  const rounding = { ...before.rounding, ...settings.rounding };
  const joined: DatedChange = { ...before, ...settings };
  if (Object.keys(rounding).length > 0) joined.rounding = rounding;
  return [
    ...rows.filter((row) => row.effective_from < effective_from),
    { effective_from, settings: joined },
    ...rows.filter((row) => row.effective_from > effective_from),
  ];
}

/**
 * The day that it is: in the zone of the newest row whose day has come there. A zone that changes at a day begins to
 * count when that day begins in it.
 */
export function todayBy(rows: readonly DatedRow[], now: Date): string {
  for (const { effective_from } of rows.toReversed()) {
    const today = todayIn(settingsOn(rows, effective_from).time_zone, now);
    if (effective_from <= today) return today;
  }
  return todayIn(defaultDated.time_zone, now);
}
