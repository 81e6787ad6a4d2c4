import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/**
 * Operators see campaigns that could not begin at their time, which are drafts again, and those whose server is away. The speed of a campaign that goes on after a
 * pause is counted from then; the release before leaves that empty.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_campaigns ADD COLUMN IF NOT EXISTS resumed_at timestamptz');
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_start_failed');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_unreachable');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY mail_campaigns_start_failed ON mail_campaigns (updated_at)
      WHERE status = 'draft' AND pause_reason = 'start_failed'`);
  await knex.raw(`
    CREATE INDEX CONCURRENTLY mail_campaigns_unreachable ON mail_campaigns (unreachable_since)
      WHERE status = 'sending' AND unreachable_since IS NOT NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_unreachable');
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_start_failed');
  await knex.raw('ALTER TABLE mail_campaigns DROP COLUMN IF EXISTS resumed_at');
}
