import type { Knex } from 'knex';

/**
 * Operators see how many responses were flagged and could not be linked. Both are rare, and a submission that is neither stands in
 * none of these indexes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX forms_responses_flagged ON forms_responses (submitted_at) WHERE is_spam;
    CREATE INDEX forms_responses_unlinked ON forms_responses (submitted_at) WHERE crm_status = 'failed';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX forms_responses_flagged, forms_responses_unlinked');
}
