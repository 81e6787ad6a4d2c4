import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Days in the order of their changes: whoever keeps a copy of the history asks for those since their last look. */
export async function up(knex: Knex): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS attendance_records_by_change');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY attendance_records_by_change
      ON attendance_records (organization_id, updated_at, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS attendance_records_by_change');
}
