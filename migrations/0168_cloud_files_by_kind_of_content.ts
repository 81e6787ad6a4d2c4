import type { Knex } from 'knex';

/** Indexes are built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

const INDEXES = {
  cloud_items_by_extension: 'extension',
  cloud_items_by_content_type: 'content_type',
  cloud_items_by_creator: 'created_by',
};

/** Lists of files by extension, type or creator: of a rare one all files of the organization were looked at. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, column] of Object.entries(INDEXES)) {
    // One whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(`
      CREATE INDEX CONCURRENTLY ${name} ON cloud_items (organization_id, ${column}, id)
        WHERE kind = 'file' AND trashed_at IS NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
