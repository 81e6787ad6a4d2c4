import type { Knex } from 'knex';

/**
 * What operators look at: the processes of workers that are alive and what each has in hand, which queues are paused,
 * how each schedule went, and the mails that have not simply left, by their state.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE UNLOGGED TABLE worker_processes (
      id text COLLATE "C" PRIMARY KEY,
      host text NOT NULL,
      pid integer NOT NULL,
      engine text COLLATE "C" NOT NULL,
      queues text[] NOT NULL,
      running jsonb NOT NULL,
      memory_bytes bigint NOT NULL,
      started_at timestamptz NOT NULL,
      beat_at timestamptz NOT NULL
    );

    CREATE TABLE queue_pauses (
      queue text COLLATE "C" PRIMARY KEY,
      paused_at timestamptz NOT NULL
    );

    ALTER TABLE sweeps
      ADD COLUMN every_milliseconds bigint,
      ADD COLUMN last_count bigint,
      ADD COLUMN succeeded_at timestamptz,
      ADD COLUMN failed_at timestamptz,
      ADD COLUMN last_error text;

    CREATE INDEX mails_not_sent ON mails (status) WHERE status <> 'sent';
    CREATE INDEX imports_newest ON imports (created_at);
    CREATE INDEX imports_open ON imports (status)
      WHERE status IN ('queued', 'running', 'paused', 'reverting');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX imports_open, imports_newest, mails_not_sent;
    ALTER TABLE sweeps DROP COLUMN every_milliseconds, DROP COLUMN last_count, DROP COLUMN succeeded_at,
      DROP COLUMN failed_at, DROP COLUMN last_error;
    DROP TABLE queue_pauses, worker_processes;
  `);
}
