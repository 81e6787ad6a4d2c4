import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * Files or folders of all folders by their names: a list of them reads a page, whatever their number. No name is empty; the
 * condition keeps the index from lists of one folder, which do not state it and would read all others with it.
 */
export async function up(knex: Knex): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS cloud_items_by_name_alone');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY cloud_items_by_name_alone ON cloud_items (organization_id, kind, name_key, id)
      WHERE trashed_at IS NULL AND length(name_key) > 0`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS cloud_items_by_name_alone');
}
