import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Recipients of a campaign in the order of their changes, as every list can be read. */
export async function up(knex: Knex): Promise<void> {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaign_recipients_by_change');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY mail_campaign_recipients_by_change
      ON mail_campaign_recipients (organization_id, campaign_id, updated_at, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaign_recipients_by_change');
}
