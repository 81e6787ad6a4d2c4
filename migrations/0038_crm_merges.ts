import type { Knex } from 'knex';

/**
 * Merges of records with so many references that a job does them, by the ID of that job: what was asked for and by
 * whom. A row is removed when its merge has ended.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE crm_merges (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      request jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX crm_merges_by_age ON crm_merges (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE crm_merges');
}
