import type { Knex } from 'knex';

/** Each statement by itself, beside running writes: an index is built without keeping them out. */
export const config = { transaction: false };

const OPEN = "kind = 'invoice' AND status IN ('approved', 'sent', 'partially_paid') AND balance > 0";

/** What came in is looked for among the balances of open invoices, those of a company, and what was paid under a name. */
const INDEXES = {
  invoicing_documents_open_by_balance: `invoicing_documents (organization_id, balance, id) INCLUDE (company_id) WHERE ${OPEN}`,
  invoicing_documents_open_of_company: `invoicing_documents (organization_id, company_id, due_date, id) WHERE ${OPEN}`,
  invoicing_deposits_by_payer:
    'invoicing_deposits (organization_id, payer_name, id) WHERE payer_name IS NOT NULL AND company_id IS NOT NULL',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
