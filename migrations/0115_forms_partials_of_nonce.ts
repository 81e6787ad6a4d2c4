import type { Knex } from 'knex';

/** What was saved of a form is found by the nonce of its form token: its submission ends it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX forms_partials_of_nonce ON forms_partials (organization_id, nonce_hash)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX forms_partials_of_nonce');
}
