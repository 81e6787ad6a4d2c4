import type { Knex } from 'knex';

/** Whose responses a job erases: the address stands in no payload of a job, and here until the job has ended. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE forms_erasures (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      email_key text COLLATE "C" NOT NULL,
      is_dry_run boolean NOT NULL,
      done jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX forms_erasures_by_age ON forms_erasures (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE forms_erasures');
}
