import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Lists of invoices are sorted by what is left to be paid. */
export async function up(knex: Knex): Promise<void> {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_documents_by_balance');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY invoicing_documents_by_balance ON invoicing_documents (organization_id, kind, balance, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_documents_by_balance');
}
