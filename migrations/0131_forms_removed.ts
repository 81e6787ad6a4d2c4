import type { Knex } from 'knex';

/**
 * A form goes in one commit, its responses and files behind it in many: so a file may be there longer than its form. One that is
 * uploaded as the form goes was claimed by nothing, and goes after a day.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE forms_files DROP CONSTRAINT forms_files_organization_id_form_id_fkey');
}

/** What was not removed yet goes here. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DELETE FROM forms_responses AS response WHERE NOT EXISTS (SELECT FROM forms_forms AS form
      WHERE form.organization_id = response.organization_id AND form.id = response.form_id);
    WITH gone AS (
      DELETE FROM forms_files AS file WHERE NOT EXISTS (SELECT FROM forms_forms AS form
        WHERE form.organization_id = file.organization_id AND form.id = file.form_id)
      RETURNING organization_id, storage_key
    )
    INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
    SELECT organization_id, storage_key, now(), now() FROM gone;
    ALTER TABLE forms_files ADD FOREIGN KEY (organization_id, form_id) REFERENCES forms_forms (organization_id, id);
  `);
}
