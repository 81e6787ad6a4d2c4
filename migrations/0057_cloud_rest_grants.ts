import type { Knex } from 'knex';

/** The grants of a department are found when it is removed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX cloud_grants_by_grantee ON cloud_grants (organization_id, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX cloud_grants_by_grantee');
}
