import type { Knex } from 'knex';

/** Built and dropped beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * Invoices that the release before made lack what only code can tell, their input tax and what they are searched by: they are
 * found by it, and filled. What the sender's name holds, the text of a document holds too, so one index serves both searches.
 */
export async function up(knex: Knex): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS received_documents_unfilled');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY received_documents_unfilled ON received_documents (organization_id, id)
      WHERE kind = 'invoice' AND input_tax IS NULL`);
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS received_documents_partner');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS received_documents_partner');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY received_documents_partner
      ON received_documents USING gin (organization_id, partner_grams)`);
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS received_documents_unfilled');
}
