import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * What was put into the trash by itself outlives a purged folder above it: the folders that lead there stay, emptied, since
 * they say who sees it.
 */
export async function up(knex: Knex): Promise<void> {
  // A constant default is kept in the catalogue: no row is written, and the lock is held for a moment.
  await knex.raw(
    'ALTER TABLE cloud_items ADD COLUMN IF NOT EXISTS is_emptied boolean NOT NULL DEFAULT false',
  );
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS cloud_items_emptied');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY cloud_items_emptied ON cloud_items (organization_id, id) WHERE is_emptied',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cloud_items DROP COLUMN IF EXISTS is_emptied');
}
