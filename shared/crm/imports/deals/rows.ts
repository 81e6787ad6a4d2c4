import type { Row, Work } from '../../../kernel/work.ts';
import { searchedThroughDeals } from '../../companies/shape.ts';
import type { CompanyOfDeal } from '../../deals/company-totals.ts';
import { DealModel } from '../../deals/record.ts';
import { type DealLinks, type DealRow, dealColumns, linksOf } from '../../deals/rows.ts';
import { searchedByName } from '../../deals/shape.ts';
import { type GoodRow, textsIn } from '../row.ts';

/** A deal with what belongs to it in other tables; `first` is what it was before the chunk, null for a new one. */
export type DealState = { row: DealRow; links: DealLinks };
export type ChangedDeal = DealState & { first: DealState | null };

const DEAL_CONTACTS = { tableName: 'crm_deal_contacts' };

/** The deals that rows are about, locked. */
export async function lockDealsIn(work: Work, rows: readonly GoodRow[]): Promise<DealState[]> {
  const external_ids = textsIn(rows, 'external_id');
  const ids = textsIn(rows, 'id');
  if (ids.length + external_ids.length === 0) return [];
  const found = await work.connection.query<DealRow>(
    `SELECT ${dealColumns.join(', ')} FROM crm_deals
      WHERE organization_id = $1 AND id IN (
        SELECT id FROM crm_deals WHERE organization_id = $1 AND external_id = ANY ($2)
        UNION ALL SELECT unnest($3::text[]))
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, external_ids, ids],
    { prepared: false },
  );
  const links = await linksOf(
    work,
    found.map(({ id }) => id),
  );
  return found.map((row) => ({ row, links: links(row.id) }));
}

/** Writes deals that were made and changed, and their contacts. */
export function writeDeals(
  work: Work,
  deals: readonly ChangedDeal[],
  companyOf: (id: string | null) => CompanyOfDeal | null,
): void {
  const columns = deals.map(({ row, first }) => ({
    is_new: first === null,
    row: { ...row, ...searchedByName(row), ...searchedThroughDeals(companyOf(row.company_id)) } as Row,
  }));
  releaseKeys(work, deals);
  const made = columns.filter(({ is_new }) => is_new);
  const changed = columns.filter(({ is_new }) => !is_new);
  work.insertAll(
    DealModel,
    made.map(({ row }) => row),
  );
  work.updateAll(
    DealModel,
    changed.map(({ row: { created_at, created_by, ...row } }) => row),
  );
  writeContacts(work, deals);
}

/** An external ID that one deal gives up another may have taken: both at once would meet in the index. */
function releaseKeys(work: Work, deals: readonly ChangedDeal[]): void {
  const released = deals.filter(
    ({ first, row }) => first && first.row.external_id !== null && first.row.external_id !== row.external_id,
  );
  if (released.length === 0) return;
  work.run('UPDATE crm_deals SET external_id = NULL WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    released.map(({ row }) => row.id),
  ]);
}

function writeContacts(work: Work, deals: readonly ChangedDeal[]): void {
  const relinked = deals.filter(
    ({ first, links }) => first && first.links.contact_ids.join() !== links.contact_ids.join(),
  );
  if (relinked.length > 0) {
    work.run('DELETE FROM crm_deal_contacts WHERE organization_id = $1 AND deal_id = ANY ($2)', [
      work.organization_id,
      relinked.map(({ row }) => row.id),
    ]);
  }
  const linked = [...deals.filter(({ first }) => first === null), ...relinked];
  work.insertAll(
    DEAL_CONTACTS,
    linked.flatMap(({ row, links }) =>
      links.contact_ids.map((contact_id, sort_order) => ({ deal_id: row.id, contact_id, sort_order })),
    ),
  );
}
