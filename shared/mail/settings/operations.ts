import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { mailSettingsOf } from './queries.ts';
import {
  defaultMailSettings,
  type KeptMailSettings,
  type MailSettings,
  type MailSettingsPatch,
  mailSettingsFacts,
} from './record.ts';

const settingNames = Object.keys(defaultMailSettings) as (keyof KeptMailSettings)[];

const PLACES = settingNames.map((_, index) => `$${index + 3}`).join(', ');

const KEEP = `INSERT INTO mail_settings (organization_id, updated_at, ${settingNames.join(', ')})
  VALUES ($1, $2, ${PLACES})
  ON CONFLICT (organization_id) DO UPDATE SET updated_at = excluded.updated_at,
    ${settingNames.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/**
 * Changes the fields sent; those of `throttle` and `auto_pause` are merged. There need be no row yet, so the organization's is
 * locked. Errors: `precondition_failed`.
 */
export async function updateMailSettings(
  work: Work,
  { throttle, auto_pause, ...fields }: MailSettingsPatch,
): Promise<MailSettings> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await mailSettingsOf(work);
  work.precondition(before);
  const changed: MailSettings = {
    ...before,
    ...fields,
    throttle: { ...before.throttle, ...throttle },
    auto_pause: { ...before.auto_pause, ...auto_pause },
  };
  if (work.isSame(mailSettingsFacts.updated, before, changed)) return before;
  return keepMailSettings(work, before, changed);
}

/** Stores settings that were changed, the organization being locked, and records it. */
export function keepMailSettings(work: Work, before: MailSettings, changed: MailSettings): MailSettings {
  const after = { ...changed, updated_at: work.touch(before) };
  work.run(KEEP, [
    work.organization_id,
    after.updated_at,
    ...settingNames.map((name) => storedSetting(after[name])),
  ]);
  work.record(mailSettingsFacts.updated, { before, after });
  return after;
}

function storedSetting(value: KeptMailSettings[keyof KeptMailSettings]): string | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
