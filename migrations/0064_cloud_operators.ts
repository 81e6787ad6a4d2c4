import type { Knex } from 'knex';

/** What operators count over all organizations, the oldest first: files by the scanner's verdict, uploads, purges. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX files_by_verdict ON files (scan, created_at) WHERE scan IN ('pending', 'quarantined', 'unscanned');
    CREATE INDEX cloud_uploads_by_state ON cloud_uploads (status, updated_at)
      WHERE status IN ('receiving', 'completing', 'failed');
    CREATE INDEX cloud_items_to_purge ON cloud_items (updated_at) WHERE is_purged;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX files_by_verdict, cloud_uploads_by_state, cloud_items_to_purge');
}
