import type { Knex } from 'knex';

const OF_CAMPAIGN = 'ON mail_campaign_recipients (organization_id, campaign_id';

/**
 * What campaigns are read by: recipients of each state, with a reason, opened and clicked, and for operators those of whom nobody knows,
 * the campaigns that stand still, and the sums of an hour. The eligible contacts that the checks found tell when a campaign will have
 * ended before it begins.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX mail_campaign_recipients_by_status ${OF_CAMPAIGN}, status, number);
    DROP INDEX mail_campaign_recipients_unsent;
    CREATE INDEX mail_campaign_recipients_by_reason ${OF_CAMPAIGN}, reason, number) WHERE reason IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_opened ${OF_CAMPAIGN}, number) WHERE opened_at IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_clicked ${OF_CAMPAIGN}, number) WHERE clicked_at IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_unknown ON mail_campaign_recipients (updated_at) WHERE status = 'unknown';
    CREATE INDEX mail_campaigns_sending ON mail_campaigns (started_at) WHERE status = 'sending';
    CREATE INDEX mail_campaigns_paused ON mail_campaigns (updated_at) WHERE status = 'paused';
    CREATE INDEX mail_campaign_hours_by_hour ON mail_campaign_hours (hour);
    ALTER TABLE mail_campaigns ADD COLUMN audience_count integer;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE mail_campaigns DROP COLUMN audience_count;
    DROP INDEX mail_campaign_hours_by_hour, mail_campaigns_paused, mail_campaigns_sending, mail_campaign_recipients_unknown,
      mail_campaign_recipients_clicked, mail_campaign_recipients_opened, mail_campaign_recipients_by_reason;
    CREATE INDEX mail_campaign_recipients_unsent ${OF_CAMPAIGN}, status, number)
      WHERE status IN ('failed', 'skipped', 'unknown');
    DROP INDEX mail_campaign_recipients_by_status;
  `);
}
