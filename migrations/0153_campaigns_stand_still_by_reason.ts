import type { Knex } from 'knex';

/** The index is built beside running writes, which a transaction around it would not allow. */
export const config = { transaction: false };

/** Operators see the campaigns that stand still by a trouble, the oldest first, however many somebody has paused by hand. */
export async function up(knex: Knex): Promise<void> {
  // One whose building was interrupted is there and serves nothing.
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_paused_by_reason');
  await knex.raw(`
    CREATE INDEX CONCURRENTLY mail_campaigns_paused_by_reason ON mail_campaigns (pause_reason, updated_at)
      WHERE status = 'paused' AND pause_reason IS NOT NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX CONCURRENTLY IF EXISTS mail_campaigns_paused_by_reason');
}
