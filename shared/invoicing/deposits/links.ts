import type { Reference } from '../../platform/references.ts';
import { relinkedRows } from '../../platform/relink.ts';
import { DepositModel, depositFacts } from './record.ts';

/** Deposits follow the company whose invoices they pay. They are locked before invoices, as in every write of them. */
export const depositReference: Reference = {
  to: 'crm_companies',
  table: DepositModel.tableName,
  column: 'company_id',
  keeps_imported: true,
  follows: {
    removal: 'refused',
    kind: `'deposit'`,
    ...relinkedRows(DepositModel.tableName, 'company_id', depositFacts.updated),
  },
};
