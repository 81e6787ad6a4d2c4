import type { Knex } from 'knex';

/**
 * Responses that staff have taken up are listed by who has them and how far they are. Most are neither, and do not stand in these
 * indexes: a submission writes to none of them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX forms_responses_by_assignee ON forms_responses
        (organization_id, form_id, assignee_id, submitted_at, id) WHERE assignee_id IS NOT NULL;
    CREATE INDEX forms_responses_by_status ON forms_responses
        (organization_id, form_id, status, submitted_at, id) WHERE status <> 'open';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX forms_responses_by_status, forms_responses_by_assignee');
}
