import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { schedulerSettingsOf, settingNames } from './queries.ts';
import { type SchedulerSettings, type SchedulerSettingsPatch, settingsFacts } from './record.ts';

const JSON_NAMES = new Set<string>(['embed_origins', 'default_availability', 'default_reminders']);

const PLACES = settingNames.map((_, index) => `$${index + 3}`).join(', ');

const KEEP = `INSERT INTO scheduler_settings (organization_id, updated_at, ${settingNames.join(', ')})
  VALUES ($1, $2, ${PLACES})
  ON CONFLICT (organization_id) DO UPDATE SET updated_at = excluded.updated_at,
    ${settingNames.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Changes the fields sent. There need be no row yet, so the organization's is locked. Errors: `precondition_failed`. */
export async function updateSchedulerSettings(
  work: Work,
  patch: SchedulerSettingsPatch,
): Promise<SchedulerSettings> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await schedulerSettingsOf(work);
  work.precondition(before);
  const changed = { ...before, ...patch };
  if (work.isSame(settingsFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const values = settingNames.map((name) =>
    JSON_NAMES.has(name) ? JSON.stringify(after[name]) : after[name],
  );
  work.run(KEEP, [work.organization_id, after.updated_at, ...values]);
  work.record(settingsFacts.updated, { before, after });
  return after;
}
