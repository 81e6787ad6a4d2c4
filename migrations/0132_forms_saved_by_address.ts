import type { Knex } from 'knex';

/** What is saved to go on later is counted for its address as an upload is, and its hash forgotten as those. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_partials ADD COLUMN address_hash text COLLATE "C";
    CREATE INDEX forms_partials_of_address ON forms_partials (organization_id, form_id, address_hash, created_at)
      WHERE address_hash IS NOT NULL;
    CREATE INDEX forms_partials_with_address ON forms_partials (created_at) WHERE address_hash IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE forms_partials DROP COLUMN address_hash');
}
