import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around them would not allow. */
export const config = { transaction: false };

/** Events of attendance by whose day they are about: managers are shown those of their teams. */
export async function up(knex: Knex): Promise<void> {
  // An index whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS events_of_members');
  await knex.raw(`CREATE INDEX CONCURRENTLY events_of_members
    ON events (organization_id, (data ->> 'member_id'), type, position)
    WHERE position IS NOT NULL AND type LIKE 'attendance.%'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS events_of_members');
}
