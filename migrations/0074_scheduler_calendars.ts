import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/** What occupies people besides bookings: blocks, and events of their calendars elsewhere. Tokens are sealed secrets. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE scheduler_blocks (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      "start" timestamptz NOT NULL,
      "end" timestamptz NOT NULL,
      CHECK ("start" < "end"),
      title text,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
    );
    CREATE INDEX scheduler_blocks_of_user ON scheduler_blocks (organization_id, user_id, "end");
    CREATE UNIQUE INDEX scheduler_blocks_external_id_once ON scheduler_blocks (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX scheduler_blocks_by_change ON scheduler_blocks (organization_id, updated_at, id);

    CREATE TABLE scheduler_connections (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      user_id ${id} NOT NULL,
      provider ${id} NOT NULL CHECK (provider IN ('google', 'caldav', 'ics')),
      account text NOT NULL,
      account_key ${id} NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('active', 'reauth_required', 'error', 'disconnected')),
      status_reason ${id},
      last_synced_at timestamptz,
      disconnected_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id)
    );
    CREATE UNIQUE INDEX scheduler_connections_account_once
      ON scheduler_connections (organization_id, user_id, provider, account_key) WHERE status <> 'disconnected';
    CREATE INDEX scheduler_connections_of_user ON scheduler_connections (organization_id, user_id, id);
    CREATE INDEX scheduler_connections_by_change ON scheduler_connections (organization_id, updated_at, id);

    CREATE TABLE scheduler_calendars (
      ${ORGANIZATION},
      connection_id ${id} NOT NULL,
      id ${id} NOT NULL,
      name text NOT NULL,
      time_zone ${id},
      is_primary boolean NOT NULL,
      checks_conflicts boolean NOT NULL,
      is_write_target boolean NOT NULL,
      position integer NOT NULL,
      sync_token text,
      last_synced_at timestamptz,
      full_sync_at timestamptz,
      next_sync_at timestamptz,
      PRIMARY KEY (organization_id, connection_id, id),
      FOREIGN KEY (organization_id, connection_id) REFERENCES scheduler_connections (organization_id, id)
        ON DELETE CASCADE
    );
    CREATE INDEX scheduler_calendars_due ON scheduler_calendars (next_sync_at) WHERE next_sync_at IS NOT NULL;

    CREATE TABLE scheduler_external_events (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      connection_id ${id} NOT NULL,
      calendar_id ${id} NOT NULL,
      external_key text NOT NULL,
      user_id ${id} NOT NULL,
      "start" timestamptz NOT NULL,
      "end" timestamptz NOT NULL,
      all_day boolean NOT NULL,
      title text,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, connection_id, calendar_id)
        REFERENCES scheduler_calendars (organization_id, connection_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX scheduler_external_events_once
      ON scheduler_external_events (organization_id, connection_id, calendar_id, external_key);
    CREATE INDEX scheduler_external_events_of_user
      ON scheduler_external_events (organization_id, user_id, "end") INCLUDE ("start", id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'DROP TABLE scheduler_external_events, scheduler_calendars, scheduler_connections, scheduler_blocks',
  );
}
