import type { Knex } from 'knex';

/**
 * Deliveries have a priority (1 high, 2 normal, 3 low), the job resource whose work they do, a number that counts how
 * often they were handed over (a ticket with an older number is void), and the process that took them last. Which
 * engine holds the tickets, and what came of the tries of each minute, stand in tables of their own.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE outbox
      ADD COLUMN priority smallint NOT NULL DEFAULT 2 CHECK (priority BETWEEN 1 AND 3),
      ADD COLUMN job_id text COLLATE "C",
      ADD COLUMN hand_overs integer NOT NULL DEFAULT 0,
      ADD COLUMN taken_by integer,
      ADD COLUMN retried_at timestamptz;
    -- Each row is written four times: room beside it, and a vacuum that comes soon.
    ALTER TABLE outbox SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
    DROP INDEX outbox_waiting;
    CREATE INDEX outbox_waiting
      ON outbox (queue, organization_id, priority, (COALESCE(due_at, created_at)), id)
      WHERE handed_over_at IS NULL AND failed_at IS NULL;

    CREATE TABLE queue_engine (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      mark text COLLATE "C" NOT NULL
    );

    CREATE TABLE queue_minutes (
      queue text COLLATE "C" NOT NULL,
      minute timestamptz NOT NULL,
      done bigint NOT NULL DEFAULT 0,
      again bigint NOT NULL DEFAULT 0,
      given_up bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (queue, minute)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE queue_minutes, queue_engine;
    ALTER TABLE outbox RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
    DROP INDEX outbox_waiting;
    ALTER TABLE outbox DROP COLUMN priority, DROP COLUMN job_id, DROP COLUMN hand_overs, DROP COLUMN taken_by,
      DROP COLUMN retried_at;
    CREATE INDEX outbox_waiting ON outbox (queue, organization_id, COALESCE(due_at, created_at), id)
      WHERE handed_over_at IS NULL AND failed_at IS NULL;
  `);
}
