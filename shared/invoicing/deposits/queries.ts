import { isCompany } from '../../crm/aliases.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Deposit, type DepositMethod, DepositModel, depositKind } from './record.ts';
import { besideDeposits, type DepositRecord, type DepositRow, depositColumns, depositOf } from './rows.ts';

/** Days are YYYY-MM-DD, both included. */
export type DepositFilters = LookUps & {
  company_id?: string;
  received_from?: string;
  received_to?: string;
  method?: DepositMethod;
  has_unallocated?: boolean;
};

/** A window of the deposits that the filters leave. */
export async function depositPage(
  reader: Reader,
  filters: DepositFilters,
  window: Window,
): Promise<Page<Deposit>> {
  const page = await depositRecords(reader, filters, window);
  return { ...page, rows: page.rows.map(depositOf) };
}

/** The same with what the deposits pay and what was paid back of them. */
export async function depositRecords(
  reader: Reader,
  filters: DepositFilters,
  window: Window,
): Promise<Page<DepositRecord>> {
  const page = await pageOf<DepositRow>(reader, depositList(reader, filters, window));
  const beside = await besideDeposits(
    reader,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => ({ ...row, ...beside(row.id) })) };
}

/** As the index of what is open has it. */
const OPEN = 'invoicing_deposits.allocated + invoicing_deposits.refunded';
const ALL = 'invoicing_deposits.amount + invoicing_deposits.fee_amount';

/** The query of the list. */
export function depositList(reader: Reader, filters: DepositFilters, window: Window): ListQuery {
  const { company_id, received_from, received_to, method, has_unallocated } = filters;
  const query = DepositModel.table(reader);
  if (method) query.where('invoicing_deposits.method', method);
  if (received_from) query.where('invoicing_deposits.received_on', '>=', received_from);
  if (received_to) query.where('invoicing_deposits.received_on', '<=', received_to);
  if (has_unallocated !== undefined) query.whereRaw(`${OPEN} ${has_unallocated ? '<' : '='} ${ALL}`);
  if (company_id) query.whereRaw(...isCompany(reader, DepositModel.tableName, company_id));
  return {
    query,
    table: DepositModel.tableName,
    columns: depositColumns,
    prefix: 'dep',
    sorts: { received_on: 'received_on' },
    window,
    look_ups: { kind: depositKind, asked: filters },
    is_filtered: isFiltered(filters),
  };
}
