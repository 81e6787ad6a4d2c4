import type { Knex } from 'knex';

/** Mails that name their addressee are found by it, so that an erasure reaches them: test mails of campaigns. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX mails_by_addressee ON mails (organization_id, lower(about ->> 'to')) WHERE about ->> 'to' IS NOT NULL
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX mails_by_addressee');
}
