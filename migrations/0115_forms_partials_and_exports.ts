import type { Knex } from 'knex';

/**
 * What was saved of a form is found by the nonce of its form token: a submission ends it. A job can name the record that its file
 * is about, and an export is told that rows went which it may have read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX forms_partials_of_nonce ON forms_partials (organization_id, nonce_hash);
    ALTER TABLE jobs ADD COLUMN record_id text COLLATE "C";
    ALTER TABLE exports ADD COLUMN is_outdated boolean NOT NULL DEFAULT false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE exports DROP COLUMN is_outdated;
    ALTER TABLE jobs DROP COLUMN record_id;
    DROP INDEX forms_partials_of_nonce;
  `);
}
