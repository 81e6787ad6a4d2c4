import { carried } from '../../kernel/fact.ts';
import type { Work } from '../../kernel/work.ts';
import { companiesById } from './queries.ts';
import { companyFacts } from './record.ts';

/**
 * Makes a company a customer, once: of works that do so at the same time the first one to commit tells it. No change
 * of the company itself: its `updated_at` stays.
 */
export function becomeCustomer(work: Work, company_id: string): Promise<void> {
  return becomeCustomers(work, [company_id]);
}

/** The same for many at once; those that are customers already stay as they are. */
export async function becomeCustomers(work: Work, company_ids: readonly string[]): Promise<void> {
  if (company_ids.length === 0) return;
  const first = await work.connection.query<{ id: string }>(
    `WITH held AS MATERIALIZED (
       SELECT id FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2) AND customer_since IS NULL
        ORDER BY id FOR NO KEY UPDATE)
     UPDATE crm_companies AS company SET customer_since = $3
       FROM held
      WHERE company.organization_id = $1 AND company.id = held.id AND customer_since IS NULL
     RETURNING company.id`,
    [work.organization_id, company_ids, work.now],
  );
  const ids = first.map(({ id }) => id).sort();
  for (const company of await companiesById(work, ids))
    work.announce('customer.created', carried(companyFacts.updated, company));
}
