import type { Knex } from 'knex';

/** Whoever verifies knows no organization: a trail is found by the hash of one of its events. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX sign_trail_by_hash ON sign_trail (hash)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX sign_trail_by_hash');
}
