import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { keepAllFor } from '../documents/retention.ts';
import { settingNames, signSettingsOf } from './queries.ts';
import { type SignSettings, type SignSettingsPatch, signSettingsFacts } from './record.ts';

const PLACES = settingNames.map((_, index) => `$${index + 3}`).join(', ');

const KEEP = `INSERT INTO sign_settings (organization_id, updated_at, ${settingNames.join(', ')})
  VALUES ($1, $2, ${PLACES})
  ON CONFLICT (organization_id) DO UPDATE SET updated_at = excluded.updated_at,
    ${settingNames.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/**
 * Changes the fields sent; those of `reminders` are merged. There need be no row yet, so the organization's is locked.
 * Documents that are there keep what they have, but for a longer time for which they are kept. Errors: `precondition_failed`.
 */
export async function updateSignSettings(
  work: Work,
  { reminders, ...fields }: SignSettingsPatch,
): Promise<SignSettings> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await signSettingsOf(work);
  work.precondition(before);
  const changed = { ...before, ...fields, reminders: { ...before.reminders, ...reminders } };
  if (work.isSame(signSettingsFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const values = settingNames.map((name) =>
    name === 'reminders' ? JSON.stringify(after.reminders) : after[name],
  );
  work.run(KEEP, [work.organization_id, after.updated_at, ...values]);
  if (after.retention_years > before.retention_years) await keepAllFor(work, after.retention_years);
  work.record(signSettingsFacts.updated, { before, after });
  return after;
}
