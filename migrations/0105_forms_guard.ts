import type { Knex } from 'knex';

/**
 * An upload is counted for its address as a submission is. Files are found by the nonce of their form token, by their partial
 * and by the address that they came from. The tokens of partials are links, as those of all guests.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_files ADD COLUMN address_hash text COLLATE "C";
    CREATE INDEX forms_files_of_nonce ON forms_files (organization_id, nonce_hash)
      WHERE nonce_hash IS NOT NULL AND response_id IS NULL;
    CREATE INDEX forms_files_of_partial ON forms_files (organization_id, partial_id) WHERE partial_id IS NOT NULL;
    CREATE INDEX forms_files_of_address ON forms_files (organization_id, form_id, address_hash, created_at)
      WHERE address_hash IS NOT NULL;
    CREATE INDEX forms_files_with_address ON forms_files (created_at) WHERE address_hash IS NOT NULL;
    CREATE INDEX forms_responses_of_address ON forms_responses (organization_id, form_id, address_hash, submitted_at)
      WHERE address_hash IS NOT NULL;
    ALTER TABLE forms_partials DROP COLUMN token_hash;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DELETE FROM forms_partials;
    ALTER TABLE forms_partials ADD COLUMN token_hash text COLLATE "C" NOT NULL;
    CREATE UNIQUE INDEX forms_partials_by_token ON forms_partials (token_hash, organization_id);
    DROP INDEX forms_responses_of_address, forms_files_with_address, forms_files_of_address, forms_files_of_partial,
      forms_files_of_nonce;
    ALTER TABLE forms_files DROP COLUMN address_hash;
  `);
}
