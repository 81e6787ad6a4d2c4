import type { Knex } from 'knex';

/** Built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

const COLUMNS =
  '"end", kind, record_id, event_type_id, buffer_before_minutes, buffer_after_minutes, expires_at';

/**
 * Whose turn it is follows from how many bookings each host has in a month, and when the last was assigned. The index of the
 * time of hosts has both, so that none of the bookings is read. The release before writes no instant of its own: its rows have
 * that of their transaction. Rows of months that are over matter for no turn.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE scheduler_occupancies ADD COLUMN IF NOT EXISTS assigned_at timestamptz NOT NULL DEFAULT now()',
  );
  await knex.raw(`
    UPDATE scheduler_occupancies AS occupancy SET assigned_at = booking.assigned_at
      FROM scheduler_bookings AS booking
     WHERE occupancy.kind = 'booking' AND occupancy."start" > now() - interval '32 days'
       AND booking.organization_id = occupancy.organization_id AND booking.id = occupancy.record_id`);
  await knex.raw(`
    UPDATE scheduler_occupancies AS occupancy SET assigned_at = session.created_at
      FROM scheduler_sessions AS session
     WHERE occupancy.kind = 'session' AND occupancy."start" > now() - interval '32 days'
       AND session.organization_id = occupancy.organization_id AND session.id = occupancy.record_id`);
  await replaceIndex(knex, `${COLUMNS}, assigned_at`);
}

export async function down(knex: Knex): Promise<void> {
  await replaceIndex(knex, COLUMNS);
  await knex.raw('ALTER TABLE scheduler_occupancies DROP COLUMN IF EXISTS assigned_at');
}

/** What a run that was cut off has left is made again. */
async function replaceIndex(knex: Knex, included: string): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS scheduler_occupancies_of_host_new');
  await knex.raw(
    `CREATE INDEX CONCURRENTLY scheduler_occupancies_of_host_new
       ON scheduler_occupancies (organization_id, user_id, "start") INCLUDE (${included})`,
  );
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS scheduler_occupancies_of_host');
  await knex.raw('ALTER INDEX scheduler_occupancies_of_host_new RENAME TO scheduler_occupancies_of_host');
}
