import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Entries of bookings in calendars that were disconnected: the next connection of the same account takes them back. And who
 * asks a provider for a new token of a connection, until when at the latest.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scheduler_left_entries (
      organization_id ${id} NOT NULL,
      connection_id ${id} NOT NULL,
      calendar_id ${id} NOT NULL,
      external_key text NOT NULL,
      record_id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      etag text,
      meeting_link text,
      "start" timestamptz,
      "end" timestamptz,
      PRIMARY KEY (organization_id, connection_id, calendar_id, external_key),
      FOREIGN KEY (organization_id, connection_id, calendar_id)
        REFERENCES scheduler_calendars (organization_id, connection_id, id) ON DELETE CASCADE
    );
    CREATE INDEX scheduler_left_entries_of_user ON scheduler_left_entries (organization_id, user_id, "end");

    ALTER TABLE scheduler_connections
      ADD COLUMN token_lease ${id},
      ADD COLUMN token_lease_ends_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE scheduler_left_entries;
    ALTER TABLE scheduler_connections DROP COLUMN token_lease, DROP COLUMN token_lease_ends_at;
  `);
}
