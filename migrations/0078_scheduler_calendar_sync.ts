import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OF_CALENDAR = `FOREIGN KEY (organization_id, connection_id, calendar_id)
  REFERENCES scheduler_calendars (organization_id, connection_id, id) ON DELETE CASCADE`;

/**
 * What reading and writing calendars elsewhere needs beside the connections: who is on the way to consent, what a run has
 * read so far, where a provider tells of changes, and the entries that bookings have in the calendars of their hosts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE scheduler_connections
      ADD COLUMN sync_delivery_id ${id},
      ADD COLUMN sync_is_queued boolean NOT NULL DEFAULT false,
      ADD COLUMN sync_job_id ${id};
    CREATE INDEX scheduler_connections_by_status ON scheduler_connections (status, updated_at);
    CREATE INDEX scheduler_connections_ended ON scheduler_connections (disconnected_at)
      WHERE disconnected_at IS NOT NULL;

    CREATE TABLE scheduler_consents (
      ${ORGANIZATION},
      state_hash ${id} NOT NULL,
      user_id ${id} NOT NULL,
      verifier text NOT NULL,
      return_to text,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, state_hash),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
    );
    CREATE INDEX scheduler_consents_ended ON scheduler_consents (expires_at);
    CREATE INDEX scheduler_consents_of_user ON scheduler_consents (organization_id, user_id);

    CREATE TABLE scheduler_read_events (
      ${ORGANIZATION},
      connection_id ${id} NOT NULL,
      calendar_id ${id} NOT NULL,
      external_key text NOT NULL,
      id ${id} NOT NULL,
      "start" timestamptz,
      "end" timestamptz,
      all_day boolean,
      title text,
      PRIMARY KEY (organization_id, connection_id, calendar_id, external_key),
      ${OF_CALENDAR}
    );

    CREATE TABLE scheduler_channels (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      connection_id ${id} NOT NULL,
      calendar_id ${id} NOT NULL,
      resource_id ${id} NOT NULL,
      token_hash ${id} NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_CALENDAR}
    );
    CREATE INDEX scheduler_channels_of_calendar ON scheduler_channels (organization_id, connection_id, calendar_id);
    CREATE INDEX scheduler_channels_ending ON scheduler_channels (expires_at);

    CREATE TABLE scheduler_calendar_entries (
      ${ORGANIZATION},
      record_id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      connection_id ${id} NOT NULL,
      calendar_id ${id} NOT NULL,
      external_key text NOT NULL,
      is_wanted boolean NOT NULL,
      revision integer NOT NULL,
      delivery_id ${id},
      status ${id} NOT NULL CHECK (status IN ('pending', 'written', 'failed', 'removed')),
      failure ${id},
      etag text,
      meeting_link text,
      "start" timestamptz,
      "end" timestamptz,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, record_id, user_id),
      ${OF_CALENDAR}
    );
    CREATE INDEX scheduler_calendar_entries_of_calendar
      ON scheduler_calendar_entries (organization_id, connection_id, calendar_id, external_key);
    CREATE INDEX scheduler_calendar_entries_of_user
      ON scheduler_calendar_entries (organization_id, user_id, "end") WHERE "end" IS NOT NULL;
    CREATE INDEX scheduler_calendar_entries_open ON scheduler_calendar_entries (status, updated_at)
      WHERE status IN ('pending', 'failed');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE scheduler_calendar_entries, scheduler_channels, scheduler_read_events, scheduler_consents;
    DROP INDEX scheduler_connections_by_status, scheduler_connections_ended;
    ALTER TABLE scheduler_connections
      DROP COLUMN sync_delivery_id, DROP COLUMN sync_is_queued, DROP COLUMN sync_job_id;
  `);
}
