import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * Which file an import took, so that the next one of the same bytes can say so: in `same_file_as` the imports before it, in
 * `warnings` what follows. All are empty in imports of before, and in those of the release before, which are not found then.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE imports
      ADD COLUMN IF NOT EXISTS file_sha256 text COLLATE "C",
      ADD COLUMN IF NOT EXISTS same_file_as jsonb,
      ADD COLUMN IF NOT EXISTS warnings jsonb`);
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS imports_by_file');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY imports_by_file ON imports (organization_id, kind, file_sha256, id)
      WHERE file_sha256 IS NOT NULL AND NOT dry_run`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS imports_by_file');
  await knex.raw(`
    ALTER TABLE imports
      DROP COLUMN IF EXISTS warnings,
      DROP COLUMN IF EXISTS same_file_as,
      DROP COLUMN IF EXISTS file_sha256`);
}
