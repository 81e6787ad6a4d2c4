import type { Reader } from '../../kernel/reader.ts';
import type { ReportAccount } from './figures.ts';

/** All accounts of the organization, as reports need them: a chart has some hundred rows. */
export function reportAccounts({ connection, organization_id }: Reader): Promise<ReportAccount[]> {
  return connection.query<ReportAccount>(
    `SELECT id, code, name, name_en, account_type, section, parent_id, cf_class, cf_adjustment
       FROM accounting_accounts WHERE organization_id = $1`,
    [organization_id],
  );
}
