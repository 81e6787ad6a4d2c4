import type { Knex } from 'knex';

/** Why a guest takes none of the times; lists by any status, not by that of open ones alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE scheduler_proposals ADD COLUMN decline_reason text;
    DROP INDEX scheduler_proposals_open;
    CREATE INDEX scheduler_proposals_by_status ON scheduler_proposals (organization_id, status, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX scheduler_proposals_by_status;
    CREATE INDEX scheduler_proposals_open ON scheduler_proposals (organization_id, id) WHERE status = 'open';
    ALTER TABLE scheduler_proposals DROP COLUMN decline_reason;
  `);
}
