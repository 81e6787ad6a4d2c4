import type { Knex } from 'knex';

/**
 * The present slugs of forms are unique beside the table that also keeps former ones, so that a refusal can name the form
 * that has one. The settings that name somebody who leaves are found by an index, and versions are listed by another.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE UNIQUE INDEX forms_forms_slug_once ON forms_forms (organization_id, slug);
    CREATE INDEX forms_settings_by_crm_owner ON forms_settings (organization_id, (crm ->> 'owner_id'))
      WHERE crm ->> 'owner_id' IS NOT NULL;
    CREATE INDEX forms_versions_of_form ON forms_versions (organization_id, form_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX forms_forms_slug_once, forms_settings_by_crm_owner, forms_versions_of_form');
}
