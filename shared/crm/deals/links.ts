import { cursorBatches } from '../../db/cursor.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { dealFacts } from './facts.ts';
import type { Deal } from './record.ts';
import { type DealRow, dealColumns, dealsOf } from './rows.ts';

/** Deals by what they refer to. */
type Refers = { company_ids: readonly string[] } | { contact_id: string } | { custom_field: string };

/**
 * Locks the deals of companies or of a contact before those themselves are locked, as every write of a deal does.
 * Answers how many there are.
 */
export async function lockDealsOf(work: Work, refers: Refers): Promise<number> {
  const [condition, value] = conditionOf(refers);
  // Counted in the database: a company may have more deals than this process should hold IDs of.
  const [row] = await work.connection.query<{ count: number }>(
    `WITH locked AS MATERIALIZED (${lockStatement(['id'], condition)}) SELECT count(*) FROM locked`,
    [work.organization_id, value],
  );
  return row!.count;
}

/** How many deals a company or contact has. */
export async function countDealsOf(work: Work, refers: Refers): Promise<number> {
  const [condition, value] = conditionOf(refers);
  const [row] = await work.connection.query<{ count: number }>(
    `SELECT count(*) FROM crm_deals WHERE organization_id = $1 AND ${condition}`,
    [work.organization_id, value],
  );
  return row!.count;
}

/** What a deal copies of its company, to be found by the company's name. */
export type CompanySearched = { company_search_text: string; company_search_grams: number[] };

/**
 * Gives the deals of a company another one, or none, as when it is merged or deleted; each is a change of that deal.
 * The totals of the companies are for the caller to keep.
 */
export async function relinkDeals(
  work: Work,
  company_id: string,
  to: string | null,
  searched: CompanySearched,
): Promise<void> {
  await changeDeals(work, { company_ids: [company_id] }, () => ({ company_id: to }));
  work.run(
    `UPDATE crm_deals SET company_id = $3, company_search_text = $4, company_search_grams = $5, ${TOUCH_6}
      WHERE organization_id = $1 AND company_id = $2`,
    [
      work.organization_id,
      company_id,
      to,
      searched.company_search_text,
      searched.company_search_grams,
      work.now,
    ],
  );
}

/**
 * Puts another contact in the place of one in all deals, or none; each is a change of that deal. A deal that has
 * both keeps the other.
 */
export async function relinkDealContacts(work: Work, contact_id: string, to: string | null): Promise<void> {
  const count = await changeDeals(work, { contact_id }, ({ contact_ids }) => {
    const others = contact_ids.map((id) => (id === contact_id ? to : id));
    return { contact_ids: [...new Set(others.filter((id) => id !== null))] };
  });
  if (count === 0) return;
  const values = [work.organization_id, contact_id];
  const [condition] = conditionOf({ contact_id });
  work.run(`UPDATE crm_deals SET ${TOUCH_3} WHERE organization_id = $1 AND ${condition}`, [
    ...values,
    work.now,
  ]);
  if (to !== null) {
    work.run(
      `UPDATE crm_deal_contacts AS link SET contact_id = $3
        WHERE organization_id = $1 AND contact_id = $2 AND NOT EXISTS (
          SELECT FROM crm_deal_contacts AS other
           WHERE other.organization_id = $1 AND other.deal_id = link.deal_id AND other.contact_id = $3)`,
      [...values, to],
    );
  }
  work.run('DELETE FROM crm_deal_contacts WHERE organization_id = $1 AND contact_id = $2', values);
}

/** Removes the values of a custom field whose definition goes; each deal that had one changes. */
export async function dropDealField(work: Work, key: string): Promise<void> {
  await changeDeals(work, { custom_field: key }, ({ custom_fields: { [key]: _, ...custom_fields } }) => ({
    custom_fields,
  }));
  work.run(
    `UPDATE crm_deals SET custom_fields = custom_fields - $2, ${TOUCH_3}
      WHERE organization_id = $1 AND custom_fields ? $2`,
    [work.organization_id, key, work.now],
  );
}

const TOUCH_3 = `updated_at = greatest($3, updated_at + interval '1 millisecond')`;
const TOUCH_6 = `updated_at = greatest($6, updated_at + interval '1 millisecond')`;

/** Locks deals and records of each what `change` makes of it; the caller writes the rows. Answers how many there are. */
async function changeDeals(
  work: Work,
  refers: Refers,
  change: (deal: Deal) => Partial<Deal>,
): Promise<number> {
  const [condition, value] = conditionOf(refers);
  const text = lockStatement(dealColumns, condition);
  const values = [work.organization_id, value];
  let count = 0;
  for await (const rows of cursorBatches<DealRow>(work.connection, text, values, FACTS_TOGETHER)) {
    count += rows.length;
    await recordChanged(work, rows, change);
    if (rows.length === FACTS_TOGETHER) await work.flushFacts();
  }
  return count;
}

async function recordChanged(
  work: Work,
  rows: readonly DealRow[],
  change: (deal: Deal) => Partial<Deal>,
): Promise<void> {
  for (const before of await dealsOf(work, rows)) {
    const after = { ...before, ...change(before), updated_at: work.touch(before) };
    work.record(dealFacts.updated, { before, after });
  }
}

function lockStatement(columns: readonly string[], condition: string): string {
  return `SELECT ${columns.join(', ')} FROM crm_deals
    WHERE organization_id = $1 AND ${condition} ORDER BY id FOR NO KEY UPDATE`;
}

function conditionOf(refers: Refers): [string, unknown] {
  if ('company_ids' in refers) return ['company_id = ANY ($2)', refers.company_ids];
  if ('custom_field' in refers) return ['custom_fields ? $2', refers.custom_field];
  return [
    'id IN (SELECT deal_id FROM crm_deal_contacts WHERE organization_id = $1 AND contact_id = $2)',
    refers.contact_id,
  ];
}
