import type { Work } from '../../kernel/work.ts';
import { type DatedRow, settingsOn, todayBy } from '../settings/dated.ts';
import { datedRows } from '../settings/queries.ts';

/** When the daily run of an organization begins, on its own clock. */
const AT = '00:30';

/** The next time after `now` that the clock of the organization shows half past midnight. */
export function nextRunAfter(rows: readonly DatedRow[], now: Date): string {
  const today = todayBy(rows, now);
  const { time_zone } = settingsOn(rows, today);
  const at = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: time_zone, plainTime: AT }).epochMilliseconds;
  const date = Temporal.PlainDate.from(today);
  const here = at(date);
  return new Date(here > now.getTime() ? here : at(date.add({ days: 1 }))).toISOString();
}

/** Keeps when the next daily run begins: for a new organization, after a run, and where the clock is another one. */
export async function planNextRun(work: Work, known?: readonly DatedRow[]): Promise<void> {
  planRun(work, nextRunAfter(known ?? (await datedRows(work)), work.now));
}

/** As `planNextRun`, for an organization that has set nothing yet. */
export function planFirstRun(work: Work): void {
  planRun(work, nextRunAfter([], work.now));
}

function planRun(work: Work, due_at: string): void {
  work.run(
    `INSERT INTO attendance_daily_runs (organization_id, due_at) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET due_at = excluded.due_at`,
    [work.organization_id, due_at],
  );
}
