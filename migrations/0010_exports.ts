import type { Knex } from 'knex';

/**
 * What an export was asked for, by the ID of its job: the filters may hold names and addresses, so they stand here
 * instead of in the queue, and only until the export has ended.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE exports (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      request jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX exports_by_age ON exports (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE exports');
}
