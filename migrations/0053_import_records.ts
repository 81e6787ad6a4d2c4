import type { Knex } from 'knex';

/** Imports of records that have several rows each count the records, too. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE imports ADD COLUMN record_count integer NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE imports DROP COLUMN record_count');
}
