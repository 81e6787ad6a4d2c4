import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { emptyMap } from './account-map.ts';
import type { AccountingSettings } from './record.ts';

type Found = Pick<AccountingSettings, 'approval' | 'auto_journal' | 'account_map' | 'updated_at'> & {
  is_kept: boolean;
  created_at: string;
};

const FIND = `SELECT approval, auto_journal, account_map, settings.updated_at,
    settings.organization_id IS NOT NULL AS is_kept, organization.created_at
  FROM organizations AS organization
  LEFT JOIN accounting_settings AS settings ON settings.organization_id = organization.id
 WHERE organization.id = $1`;

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function findAccountingSettings({
  connection,
  organization_id,
}: Reader): Promise<AccountingSettings> {
  const [found] = await connection.query<Found>(FIND, [organization_id], { alone: true });
  if (!found) throw notFound();
  const { is_kept, created_at, approval, auto_journal, account_map, updated_at } = found;
  return {
    id: organization_id,
    object: 'accounting.settings',
    approval: is_kept ? approval : { required: false, four_eyes: true, user_ids: [] },
    auto_journal: is_kept ? auto_journal : 'off',
    account_map: is_kept ? account_map : emptyMap,
    created_at,
    updated_at: is_kept ? updated_at : created_at,
  };
}

/** What records of other domains make by themselves: one row, read by operations of organizations without books, too. */
export async function autoJournalOf({
  connection,
  organization_id,
}: Reader): Promise<AccountingSettings['auto_journal']> {
  const [row] = await connection.query<Pick<AccountingSettings, 'auto_journal'>>(
    'SELECT auto_journal FROM accounting_settings WHERE organization_id = $1',
    [organization_id],
  );
  return row?.auto_journal ?? 'off';
}
