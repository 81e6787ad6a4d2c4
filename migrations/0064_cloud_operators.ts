import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

/** What operators count over all organizations, the oldest first: files by the scanner's verdict, uploads, purges. */
const indexes = {
  files_by_verdict: "files (scan, created_at) WHERE scan IN ('pending', 'quarantined', 'unscanned')",
  cloud_uploads_by_state:
    "cloud_uploads (status, updated_at) WHERE status IN ('receiving', 'completing', 'failed')",
  cloud_items_to_purge: 'cloud_items (updated_at) WHERE is_purged',
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    // An index whose building was interrupted is there and serves nothing.
    await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await knex.raw(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
