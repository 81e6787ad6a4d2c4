import type { Knex } from 'knex';

/** The name of a process of workers, by which operators find its unit or container; and the jobs that are tried again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE worker_processes ADD COLUMN name text;
    CREATE INDEX outbox_tried_again ON outbox (due_at) WHERE error IS NOT NULL AND failed_at IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX outbox_tried_again;
    ALTER TABLE worker_processes DROP COLUMN name;
  `);
}
