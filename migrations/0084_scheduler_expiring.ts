import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * What expires is read from its index alone. A plan for any instant expects a third of a host's rows to expire after it, and
 * would rather read all of them from the index that has every column than so many from the table.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceIndex(
    knex,
    'INCLUDE ("start", "end", kind, record_id, event_type_id, buffer_before_minutes, buffer_after_minutes)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await replaceIndex(knex, '');
}

/** What a run that was cut off has left is made again. */
async function replaceIndex(knex: Knex, included: string): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS scheduler_occupancies_expiring_new');
  await knex.raw(
    `CREATE INDEX CONCURRENTLY scheduler_occupancies_expiring_new
       ON scheduler_occupancies (organization_id, user_id, expires_at) ${included} WHERE expires_at IS NOT NULL`,
  );
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS scheduler_occupancies_expiring');
  await knex.raw('ALTER INDEX scheduler_occupancies_expiring_new RENAME TO scheduler_occupancies_expiring');
}
