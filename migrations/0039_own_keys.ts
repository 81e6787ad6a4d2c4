import type { Knex } from 'knex';

/** Each statement by itself, beside running writes: what waits for a table, waits without holding another one. */
export const config = { transaction: false };

/** The tables of records that clients make. Those of `known` had `external_id` before. */
const tables = {
  known: ['crm_companies', 'crm_contacts', 'crm_deals'],
  others: [
    'crm_activities',
    'crm_tags',
    'crm_pipelines',
    'crm_custom_fields',
    'mail_contacts',
    'mail_lists',
    'invoicing_documents',
    'invoicing_payments',
  ],
};

/** Documents of different kinds may have the same. */
const keyOf = (table: string) =>
  table === 'invoicing_documents' ? 'organization_id, kind, external_id' : 'organization_id, external_id';

export async function up(knex: Knex): Promise<void> {
  for (const table of [...tables.known, ...tables.others]) {
    // A constant default is kept in the catalogue: no row is written, and the lock is held for a moment.
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}'`);
  }
  for (const table of tables.others) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS external_id text COLLATE "C"`);
    const name = `${table}_external_id_once`;
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(
      `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON ${table} (${keyOf(table)}) WHERE external_id IS NOT NULL`,
    );
  }
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_change');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY invoicing_payments_by_change ON invoicing_payments (organization_id, updated_at, id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS invoicing_payments_by_change');
  for (const table of tables.others) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN IF EXISTS external_id`);
  }
  for (const table of [...tables.known, ...tables.others]) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN IF EXISTS metadata`);
  }
}
