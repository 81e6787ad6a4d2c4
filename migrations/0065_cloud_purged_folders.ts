import type { Knex } from 'knex';

/**
 * What was put into the trash by itself outlives a purged folder above it: the folders that lead there stay, emptied, since
 * they say who sees it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE cloud_items ADD COLUMN is_emptied boolean NOT NULL DEFAULT false;
    CREATE INDEX cloud_items_emptied ON cloud_items (organization_id, id) WHERE is_emptied;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cloud_items DROP COLUMN is_emptied');
}
