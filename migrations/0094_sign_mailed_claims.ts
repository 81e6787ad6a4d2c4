import type { Knex } from 'knex';

/**
 * A claimed reminder is mailed once: numbers begin anew for who signs in the place of somebody else, while a job that names the
 * old ones may still wait. Whoever verifies asks whether there is a trail of a document, in whatever organization.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sign_reminders ADD COLUMN is_mailed boolean NOT NULL DEFAULT false;
    CREATE INDEX sign_trail_beginnings ON sign_trail (document_id) WHERE seq = 1;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX sign_trail_beginnings;
    ALTER TABLE sign_reminders DROP COLUMN is_mailed;
  `);
}
