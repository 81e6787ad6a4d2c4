import { chooseRetention } from '../../accounting/documents/retention.ts';
import type { Work } from '../../kernel/work.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { receiveSettings } from './queries.ts';
import {
  type ReceiveSettings,
  ReceiveSettingsModel,
  type ReceiveSettingsPatch,
  receiveSettingsFacts,
} from './record.ts';

/**
 * Changes the fields sent. More `retention_years` hold for all documents, accounting's too; fewer for those that come from
 * then on. Errors: `precondition_failed`.
 */
export async function updateReceiveSettings(
  work: Work,
  { match_tolerance, ...plain }: ReceiveSettingsPatch,
): Promise<ReceiveSettings> {
  // There need be no row of them yet, so the organization's is what two changes at a time wait for.
  await lockOrganization(work.connection, work.organization_id);
  const before = await receiveSettings(work);
  work.precondition(before);
  const changed: ReceiveSettings = {
    ...before,
    ...plain,
    match_tolerance: { ...before.match_tolerance, ...match_tolerance },
  };
  if (work.isSame(receiveSettingsFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, created_at, ...row } = after;
  work.run('DELETE FROM received_settings WHERE organization_id = $1', [work.organization_id]);
  work.insert(ReceiveSettingsModel, row);
  if (after.retention_years !== before.retention_years) chooseRetention(work, after.retention_years);
  work.record(receiveSettingsFacts.updated, { before, after });
  return after;
}
