import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** What is due in the trash is looked for in each organization, by `cloud_items_in_trash`: nothing reads this index. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS cloud_items_trash_due');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS cloud_items_trash_due');
  await knex.raw(
    'CREATE INDEX CONCURRENTLY cloud_items_trash_due ON cloud_items (trashed_at) WHERE trashed_at IS NOT NULL',
  );
}
