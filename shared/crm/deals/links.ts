import type { Work } from '../../kernel/work.ts';

/** What a deal copies of its company, to be found by the company's name. */
export type CompanySearched = { company_search_text: string; company_search_grams: number[] };

/**
 * Locks the deals of companies or of a contact before those themselves are locked, as every write of a deal does.
 * Answers how many there are.
 */
export async function lockDealsOf(
  work: Work,
  refers: { company_ids: readonly string[] } | { contact_id: string },
): Promise<number> {
  const condition =
    'company_ids' in refers
      ? 'company_id = ANY ($2)'
      : 'id IN (SELECT deal_id FROM crm_deal_contacts WHERE organization_id = $1 AND contact_id = $2)';
  const rows = await work.connection.query(
    `SELECT id FROM crm_deals WHERE organization_id = $1 AND ${condition} ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, 'company_ids' in refers ? refers.company_ids : refers.contact_id],
  );
  return rows.length;
}

/** Gives the deals of a company another one, or none, as when it is merged or deleted. */
export function relinkDeals(
  work: Work,
  company_id: string,
  to: string | null,
  searched: CompanySearched,
): void {
  work.run(
    `UPDATE crm_deals SET company_id = $3, company_search_text = $4, company_search_grams = $5,
            updated_at = greatest($6, updated_at + interval '1 millisecond')
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

/** Puts another contact in the place of one, in all deals; a deal that has both keeps the other. */
export function relinkDealContacts(work: Work, contact_id: string, to: string): void {
  work.run(
    `UPDATE crm_deal_contacts AS link SET contact_id = $3
      WHERE organization_id = $1 AND contact_id = $2 AND NOT EXISTS (
        SELECT FROM crm_deal_contacts AS other
         WHERE other.organization_id = $1 AND other.deal_id = link.deal_id AND other.contact_id = $3)`,
    [work.organization_id, contact_id, to],
  );
}

/** Removes the values of a custom field whose definition goes. */
export async function dropDealField(work: Work, key: string): Promise<void> {
  work.run(
    `UPDATE crm_deals SET custom_fields = custom_fields - $2,
            updated_at = greatest($3, updated_at + interval '1 millisecond')
      WHERE organization_id = $1 AND custom_fields ? $2`,
    [work.organization_id, key, work.now],
  );
}
