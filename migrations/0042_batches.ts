import type { Knex } from 'knex';

/**
 * Calls about many records, by the ID of their job: what was asked for and by whom, and what came of each record so far.
 * A row is removed when its batch has ended.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE batches (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      request jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX batches_by_age ON batches (created_at);
    CREATE TABLE batch_entries (
      organization_id text COLLATE "C" NOT NULL,
      batch_id text COLLATE "C" NOT NULL,
      position integer NOT NULL,
      record_id text COLLATE "C" NOT NULL,
      status integer,
      code text,
      PRIMARY KEY (organization_id, batch_id, position),
      FOREIGN KEY (organization_id, batch_id) REFERENCES batches (organization_id, id) ON DELETE CASCADE
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE batch_entries; DROP TABLE batches');
}
