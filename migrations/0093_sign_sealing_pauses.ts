import type { Knex } from 'knex';

/**
 * When a sealing is tried next, where the last try has said so: until then it is not looked at as left. `sealing_since` stays
 * the time of the last signature, or of staff's asking.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_documents ADD COLUMN sealing_next_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sign_documents DROP COLUMN sealing_next_at');
}
