import type { Knex } from 'knex';

/**
 * A submission is one statement. What was saved with its form token ends in a function, which costs little where nothing was saved.
 * No foreign key from a response to its version: all submissions of a form would lock that one row, and the database keep lists of
 * who does. The admission keeps it instead: it refuses a form that is not there, and no version goes before its form, which waits
 * for submissions and takes their responses along.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_responses DROP CONSTRAINT forms_responses_organization_id_form_id_form_version_fkey;

    CREATE FUNCTION forms_end_partials(of_organization text, of_nonce text, link_purpose text, since timestamptz)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      ended text[];
    BEGIN
      WITH gone AS (
        DELETE FROM forms_partials WHERE organization_id = of_organization AND nonce_hash = of_nonce RETURNING id
      ) SELECT array_agg(id) INTO ended FROM gone;
      IF ended IS NULL THEN
        RETURN;
      END IF;
      DELETE FROM links WHERE organization_id = of_organization AND purpose = link_purpose AND record_id = ANY (ended);
      DELETE FROM idempotency_keys WHERE organization_id = of_organization AND created_at >= since
        AND body -> 'partial' ->> 'id' = ANY (ended);
      UPDATE forms_files SET partial_id = NULL
        WHERE organization_id = of_organization AND response_id IS NULL AND partial_id = ANY (ended);
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION forms_end_partials(text, text, text, timestamptz);
    ALTER TABLE forms_responses ADD FOREIGN KEY (organization_id, form_id, form_version)
      REFERENCES forms_versions (organization_id, form_id, number);
  `);
}
