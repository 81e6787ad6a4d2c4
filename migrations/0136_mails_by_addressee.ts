import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Mails that name their addressee are found by it, so that an erasure reaches them: test mails of campaigns. */
export async function up(knex: Knex): Promise<void> {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mails_by_addressee');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY mails_by_addressee ON mails (organization_id, lower(about ->> 'to'))
      WHERE about ->> 'to' IS NOT NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mails_by_addressee');
}
