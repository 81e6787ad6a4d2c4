import type { Knex } from 'knex';

/** When the last event of a trail was: the next one is not earlier, whatever the clock of the process that adds it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_documents ADD COLUMN trail_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_documents DROP COLUMN trail_at');
}
