import type { Knex } from 'knex';

/** Indexes are built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

/**
 * Duplicates are grouped along the numbers of companies. The index of before could not serve that: without the columns themselves each
 * row was read. Nothing else asks for it.
 */
export async function up(knex: Knex): Promise<void> {
  await replace(knex, 'crm_companies_by_number', {
    name: 'crm_companies_by_any_number',
    include: 'INCLUDE (corporate_number, invoice_registration_number)',
  });
}

export async function down(knex: Knex): Promise<void> {
  await replace(knex, 'crm_companies_by_any_number', { name: 'crm_companies_by_number', include: '' });
}

async function replace(knex: Knex, old: string, { name, include }: { name: string; include: string }) {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await knex.raw(`
    CREATE INDEX CONCURRENTLY ${name}
      ON crm_companies (organization_id, coalesce(corporate_number, substr(invoice_registration_number, 2)), id)
      ${include} WHERE corporate_number IS NOT NULL OR invoice_registration_number IS NOT NULL`);
  await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${old}`);
}
