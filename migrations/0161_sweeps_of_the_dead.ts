import type { Knex } from 'knex';

/**
 * The process that runs a sweep, by its number: when it has died, another one releases the sweep at once. Null while nobody runs it, and
 * for what the release before runs: that is over after ten minutes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sweeps ADD COLUMN IF NOT EXISTS taken_by integer');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sweeps DROP COLUMN IF EXISTS taken_by');
}
