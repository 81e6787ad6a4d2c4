import { invalid } from '../../kernel/failure.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { planNextRun } from '../daily/plan.ts';
import { recalculate } from '../recalculation/operations.ts';
import { changeSlack, type SlackChange } from '../slack/connection.ts';
import { withChange } from './dated.ts';
import type { Agreement, DatedChange, PlainChange, PlainFields } from './fields.ts';
import { firstOpenDay } from './open-period.ts';
import { type AttendanceSettings, type AttendanceSettingsPatch, settingsFacts } from './record.ts';
import { datedNames, type KeptSettings, keptSettings, plainNames, shownSettings } from './shown.ts';

/**
 * Changes the fields sent; those with a date from `effective_from` on, up to the next row that sets the same field. There
 * need be no row yet, so the organization's is locked. Answers the settings on that day, or of today where it is earlier.
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
  const from = effective_from ?? firstOpenDay(kept.rows, work);
  const rows = hasDated ? withChange(kept.rows, { effective_from: from, settings: dated }) : kept.rows;
  const plain = plainAfter(kept.plain, patch);
  const as_of = hasDated && from > kept.today ? from : kept.today;
  const day = hasDated ? from : kept.today;
  const before = shownSettings(work.organization_id, kept, day);
  const slack = change ? changeSlack(work, keys, change) : kept.slack;
  const changed = shownSettings(work.organization_id, { rows, plain, slack, times: kept.times }, day);
  if (isSameSettings(before, changed)) {
    work.nothingChanged();
    return { settings: shownSettings(work.organization_id, kept, as_of), job: null };
  }
  const times = { ...kept.times, updated_at: work.touch(kept.times) };
  keep(work, { rows, plain, times }, hasDated ? from : null);
  const after: AttendanceSettings = { ...changed, updated_at: times.updated_at };
  work.record(settingsFacts.updated, { before, after });
  if (patch.time_zone !== undefined) await planNextRun(work, rows);
  const settings = shownSettings(work.organization_id, { rows, plain, slack, times }, as_of);
  const concernsDays = hasDated || patch.agreements !== undefined;
  const job = concernsDays
    ? await recalculate(work, { member_ids: null, from: patch.agreements === undefined ? from : null })
    : null;
  return { settings, job };
}

function keep(
  work: Work,
  { rows, plain, times }: Pick<KeptSettings, 'rows' | 'plain' | 'times'>,
  from: string | null,
): void {
  work.run(
    `INSERT INTO attendance_settings (organization_id, settings, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at`,
    [work.organization_id, JSON.stringify(plain), times.updated_at],
  );
  const row = from === null ? undefined : rows.find((each) => each.effective_from === from);
  if (!row) return;
  work.run(
    `INSERT INTO attendance_dated_settings (organization_id, effective_from, settings) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, effective_from) DO UPDATE SET settings = excluded.settings`,
    [work.organization_id, row.effective_from, JSON.stringify(row.settings)],
  );
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
