import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { keptSettings } from '../../platform/access/organizations/kept-settings.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import {
  type CloudSettings,
  type CloudSettingsPatch,
  cloudSettingsFacts,
  defaultSettings,
  type KeptSettings,
} from './record.ts';

const NAMES = Object.keys(defaultSettings) as (keyof KeptSettings)[];

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function findCloudSettings(reader: Reader): Promise<CloudSettings> {
  const { id, ...settings } = await keptSettings(reader, 'cloud_settings', defaultSettings);
  return { id, object: 'cloud.settings', ...settings };
}

/** Changes the fields sent. There need be no row yet, so the organization's is locked. Errors: `precondition_failed`. */
export async function updateCloudSettings(work: Work, patch: CloudSettingsPatch): Promise<CloudSettings> {
  await lockOrganization(work.connection, work.organization_id);
  const before = await findCloudSettings(work);
  work.precondition(before);
  const changed = { ...before, ...patch };
  if (work.isSame(cloudSettingsFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.run(
    `INSERT INTO cloud_settings (organization_id, updated_at, ${NAMES.join(', ')})
     VALUES ($1, $2, ${NAMES.map((_, index) => `$${index + 3}`).join(', ')})
     ON CONFLICT (organization_id) DO UPDATE SET updated_at = excluded.updated_at,
       ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [work.organization_id, after.updated_at, ...NAMES.map((name) => after[name])],
  );
  work.record(cloudSettingsFacts.updated, { before, after });
  return after;
}
