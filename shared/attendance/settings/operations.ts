import { invalid } from '../../kernel/failure.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { planNextRun } from '../daily/plan.ts';
import { recalculate } from '../recalculation/operations.ts';
import { changeSlack, type SlackChange } from '../slack/connection.ts';
import { type DatedRow, withChange } from './dated.ts';
import type { Agreement, DatedChange, PlainChange, PlainFields } from './fields.ts';
import { dayAfterClosed, firstOpenDay } from './open-period.ts';
import { type AttendanceSettings, type AttendanceSettingsPatch, settingsFacts } from './record.ts';
import { datedNames, type KeptSettings, keptSettings, plainNames, shownSettings } from './shown.ts';

/**
 * Changes the fields sent; those with a date from `effective_from` on, up to the next row that sets the same field. There
 * need be no row yet, so the organization's is locked. Answers the settings on that day, or of today where it is earlier; days of closed
 * periods stay as they were frozen.
 * Errors: `precondition_failed`, `validation_failed`.
 */
export async function updateSettings(
  work: Work,
  { effective_from, slack: _, ...patch }: AttendanceSettingsPatch,
  { keys, change }: { keys: SecretKeys; change: SlackChange | undefined },
): Promise<{ settings: AttendanceSettings; job: JobResource | null }> {
  await lockOrganization(work.connection, work.organization_id);
  const kept = await keptSettings(work, keys);
  work.precondition(kept.times);
  const dated = pick(patch as DatedChange, sentOf(patch, datedNames));
  const hasDated = Object.keys(dated).length > 0;
  if (effective_from !== undefined && !hasDated) throw nothingDated();
  if (patch.agreements) requireDistinctDates(patch.agreements);
  const changes = changesFrom(dated, effective_from, kept.rows, await dayAfterClosed(work), work);
  const rows = changes.reduce(withChange, kept.rows);
  const plain = plainAfter(kept.plain, patch);
  const slack = change ? changeSlack(work, keys, change) : kept.slack;
  const after = { rows, plain, slack, times: kept.times };
  // The last of the dates: by then all that was sent holds.
  const from = changes.at(-1)?.effective_from ?? kept.today;
  const as_of = from > kept.today ? from : kept.today;
  const shown = (settings: Omit<KeptSettings, 'today'>, day: string) =>
    shownSettings(work.organization_id, settings, day);
  const days = [...changes.map(({ effective_from: day }) => day), from];
  if (days.every((day) => isSameSettings(shown(kept, day), shown(after, day)))) {
    work.nothingChanged();
    return { settings: shown(kept, as_of), job: null };
  }
  const times = { ...kept.times, updated_at: work.touch(kept.times) };
  keep(
    work,
    { ...after, times },
    changes.map(({ effective_from: day }) => day),
  );
  work.record(settingsFacts.updated, { before: shown(kept, from), after: shown({ ...after, times }, from) });
  if (patch.time_zone !== undefined) await planNextRun(work, rows);
  const settings = shown({ ...after, times }, as_of);
  const concernsDays = hasDated || patch.agreements !== undefined;
  const first = patch.agreements === undefined ? days[0]! : null;
  const job = concernsDays ? await recalculate(work, { member_ids: null, from: first }) : null;
  return { settings, job };
}

/**
 * What changes from which day on, in order. A closing day waits for the first open period where an earlier date is given:
 * closed periods keep their dates.
 */
function changesFrom(
  dated: DatedChange,
  effective_from: string | undefined,
  rows: readonly DatedRow[],
  after_closed: string | null,
  { now }: Work,
): DatedRow[] {
  if (Object.keys(dated).length === 0) return [];
  const from = effective_from ?? firstOpenDay(rows, after_closed, { now });
  const { closing_day, ...others } = dated;
  if (closing_day === undefined || after_closed === null || from >= after_closed) {
    return [{ effective_from: from, settings: dated }];
  }
  const closing = { effective_from: after_closed, settings: { closing_day } };
  if (Object.keys(others).length === 0) return [closing];
  return [{ effective_from: from, settings: others }, closing];
}

function keep(
  work: Work,
  { rows, plain, times }: Pick<KeptSettings, 'rows' | 'plain' | 'times'>,
  changed: readonly string[],
): void {
  work.run(
    `INSERT INTO attendance_settings (organization_id, settings, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
    [work.organization_id, JSON.stringify(plain), times.updated_at],
  );
  for (const { effective_from, settings } of rows.filter((row) => changed.includes(row.effective_from))) {
    work.run(
      `INSERT INTO attendance_dated_settings (organization_id, effective_from, settings) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id, effective_from) DO UPDATE SET settings = excluded.settings`,
      [work.organization_id, effective_from, JSON.stringify(settings)],
    );
  }
}

function sentOf<Name extends string>(patch: object, names: readonly Name[]): Name[] {
  return names.filter((name) => (patch as Record<string, unknown>)[name] !== undefined);
}

function plainAfter(before: PlainFields, patch: PlainChange): PlainFields {
  const { leave, ...sent } = pick(patch, sentOf(patch, plainNames));
  return { ...before, ...sent, leave: { ...before.leave, ...leave } } as PlainFields;
}

/** Whether a change left everything as it is, the day since when aside. */
function isSameSettings(before: AttendanceSettings, after: AttendanceSettings): boolean {
  const told = (settings: AttendanceSettings) =>
    JSON.stringify([...datedNames, ...plainNames, 'slack' as const].map((name) => settings[name]));
  return told(before) === told(after);
}

function nothingDated() {
  return invalid('/effective_from', 'nothing_dated', {
    en: 'effective_from must come with a setting that has a date; none was sent',
    ja: 'effective_from は、適用開始日を持つ設定と一緒に指定してください',
  });
}

/** Errors: `validation_failed` at /agreements/n/effective_from. */
function requireDistinctDates(agreements: readonly Agreement[]): void {
  const dates = agreements.map(({ effective_from }) => effective_from);
  const place = dates.findIndex((date, index) => dates.indexOf(date) < index);
  if (place < 0) return;
  throw invalid(`/agreements/${place}/effective_from`, 'duplicate', {
    en: 'Another agreement begins on this day',
    ja: '同じ日から始まる協定がほかにあります',
  });
}
