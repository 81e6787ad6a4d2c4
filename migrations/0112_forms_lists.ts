import type { Knex } from 'knex';

/**
 * Lists of responses of one status, of one version, and of all with their spam, in the order of their submission. Where all but a
 * few are done the open ones are the rare, and an early version stands far behind the newest rows, so neither is found by walking
 * from the newest. IDs of responses begin with the time of their submission: the index of all is not taken for the others.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX forms_responses_by_status;
    CREATE INDEX forms_responses_by_status ON forms_responses
        (organization_id, form_id, status, is_spam, submitted_at, id);
    CREATE INDEX forms_responses_by_version ON forms_responses
        (organization_id, form_id, form_version, is_spam, submitted_at, id);
    CREATE INDEX forms_responses_all ON forms_responses (organization_id, form_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX forms_responses_all, forms_responses_by_version, forms_responses_by_status;
    CREATE INDEX forms_responses_by_status ON forms_responses
        (organization_id, form_id, status, submitted_at, id) WHERE status <> 'open';
  `);
}
