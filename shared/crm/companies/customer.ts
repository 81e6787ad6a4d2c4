import { carried } from '../../kernel/fact.ts';
import type { Work } from '../../kernel/work.ts';
import { companyById } from './queries.ts';
import { companyFacts } from './record.ts';

/**
 * Makes a company a customer, once: of works that do so at the same time the first one to commit tells it. No change
 * of the company itself: its `updated_at` stays.
 */
export async function becomeCustomer(work: Work, company_id: string): Promise<void> {
  const [first] = await work.connection.query(
    `UPDATE crm_companies SET customer_since = $3
      WHERE organization_id = $1 AND id = $2 AND customer_since IS NULL RETURNING id`,
    [work.organization_id, company_id, work.now],
  );
  if (!first) return;
  const company = await companyById(work, company_id);
  work.announce('customer.created', carried(companyFacts.updated, company));
}
