import type { Knex } from 'knex';

/** Indexes are built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

const TABLES = ['invoicing_documents', 'received_documents', 'invoicing_deposits'];

/** A page of a company's timeline: all of its documents were looked at for their latest changes. */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    // One whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_in_timeline`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY ${table}_in_timeline
        ON ${table} (organization_id, company_id, updated_at, created_at, id) WHERE company_id IS NOT NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_in_timeline`);
}
