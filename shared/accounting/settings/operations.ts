import { unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import { lockOrganization } from '../../platform/access/organizations/queries.ts';
import { type AccountMap, accountsOfMap, mapAfter } from './account-map.ts';
import { findAccountingSettings } from './queries.ts';
import { type AccountingSettings, type AccountingSettingsPatch, accountingSettingsFacts } from './record.ts';

/** Changes the fields sent. Errors: `precondition_failed`, `unknown_reference`. */
export async function updateAccountingSettings(
  work: Work,
  { approval, auto_journal, account_map }: AccountingSettingsPatch,
): Promise<AccountingSettings> {
  const before = await lockAccountingSettings(work);
  work.precondition(before);
  for (const [index, user_id] of (approval?.user_ids ?? []).entries()) {
    await requireMember(work, user_id, `/approval/user_ids/${index}`);
  }
  if (account_map) await requireAccounts(work, mapAfter(before.account_map, account_map), before.account_map);
  return saveAccountingSettings(work, before, {
    ...before,
    approval: { ...before.approval, ...approval },
    auto_journal: auto_journal ?? before.auto_journal,
    account_map: mapAfter(before.account_map, account_map ?? {}),
  });
}

/** There need be no row of them yet, so the organization's is what two changes at a time wait for. */
export async function lockAccountingSettings(work: Work): Promise<AccountingSettings> {
  await lockOrganization(work.connection, work.organization_id);
  return findAccountingSettings(work);
}

/** Keeps what a change made of locked settings, and says so. */
export function saveAccountingSettings(
  work: Work,
  before: AccountingSettings,
  changed: AccountingSettings,
): AccountingSettings {
  if (work.isSame(accountingSettingsFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.run(
    `INSERT INTO accounting_settings (organization_id, approval, auto_journal, account_map, updated_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (organization_id) DO UPDATE SET approval = excluded.approval,
       auto_journal = excluded.auto_journal, account_map = excluded.account_map, updated_at = excluded.updated_at`,
    [
      work.organization_id,
      JSON.stringify(after.approval),
      after.auto_journal,
      JSON.stringify(after.account_map),
      after.updated_at,
    ],
  );
  work.record(accountingSettingsFacts.updated, { before, after });
  return after;
}

/** Sees that the accounts that are new in a map exist. Errors: `unknown_reference` at its place. */
async function requireAccounts(work: Work, map: AccountMap, before: AccountMap): Promise<void> {
  const known = new Set(accountsOfMap(before).map(({ id }) => id));
  const chosen = accountsOfMap(map).filter(({ id }) => !known.has(id));
  if (chosen.length === 0) return;
  const rows = await work.connection.query<{ id: string }>(
    'SELECT id FROM accounting_accounts WHERE organization_id = $1 AND id = ANY ($2) FOR KEY SHARE',
    [work.organization_id, [...new Set(chosen.map(({ id }) => id))].sort()],
  );
  const found = new Set(rows.map(({ id }) => id));
  const missing = chosen.find(({ id }) => !found.has(id));
  if (missing) throw unknownReference(`/account_map${missing.path}`, missing.id);
}
