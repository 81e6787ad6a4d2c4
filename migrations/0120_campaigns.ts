import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OF_CAMPAIGN =
  'FOREIGN KEY (organization_id, campaign_id) REFERENCES mail_campaigns (organization_id, id) ON DELETE CASCADE';
const COUNTS = [
  'queued',
  'sending',
  'sent',
  'sent_tracked',
  'failed',
  'skipped',
  'unknown',
  'hard_bounces',
  'soft_bounces',
  'complaints',
  'unsubscribes',
  'tracked',
  'opens',
  'unique_opens',
  'clicks',
  'unique_clicks',
  'bot_opens',
  'bot_clicks',
];
const counted = (names: readonly string[]) =>
  names.map((name) => `${name} integer NOT NULL DEFAULT 0`).join(', ');

/**
 * Campaigns with templates, segments, recipients and what came of each mail.
 * A campaign has a number over all organizations, and a recipient one in its campaign: tokens hold both. Counters are 16
 * rows a campaign, so that slices do not wait for each other; a slot may be negative, the sum never is.
 * A recipient refers to its contact, so that nobody is erased while the recipients are frozen. What is left of an erased one
 * is its hash, by which the time of the last mail is found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE mail_contacts
      ADD COLUMN last_sent_at timestamptz,
      ADD COLUMN last_opened_at timestamptz,
      ADD COLUMN last_clicked_at timestamptz;

    CREATE TABLE mail_settings (
      ${ORGANIZATION},
      sender_name text,
      sender_address text,
      sender_contact text,
      mail_order boolean NOT NULL,
      mail_order_notice_url text,
      default_from_name text,
      default_from_email text,
      default_reply_to text,
      bounce_address text,
      throttle jsonb NOT NULL,
      auto_pause jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );

    CREATE TABLE mail_templates (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      name text NOT NULL,
      name_key ${id} NOT NULL,
      subject text,
      preheader text,
      body_html text,
      body_text text,
      placeholders jsonb NOT NULL DEFAULT '[]',
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT mail_templates_name_once UNIQUE (organization_id, name_key)
    );
    CREATE UNIQUE INDEX mail_templates_external_id_once ON mail_templates (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX mail_templates_by_creation ON mail_templates (organization_id, created_at, id);
    CREATE INDEX mail_templates_by_change ON mail_templates (organization_id, updated_at, id);
    CREATE INDEX mail_templates_search ON mail_templates USING gin (organization_id, search_grams);

    CREATE TABLE mail_segments (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      name text NOT NULL,
      name_key ${id} NOT NULL,
      filter jsonb NOT NULL,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT mail_segments_name_once UNIQUE (organization_id, name_key)
    );
    CREATE UNIQUE INDEX mail_segments_external_id_once ON mail_segments (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX mail_segments_by_creation ON mail_segments (organization_id, created_at, id);
    CREATE INDEX mail_segments_by_change ON mail_segments (organization_id, updated_at, id);

    CREATE TABLE mail_campaigns (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      name text NOT NULL,
      status ${id} NOT NULL
        CHECK (status IN ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled')),
      pause_reason ${id},
      subject text,
      preheader text,
      from_name text,
      from_email text,
      reply_to text,
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      purpose ${id} NOT NULL CHECK (purpose IN ('advertisement', 'notice')),
      mail_order boolean,
      list_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
      exclude_list_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
      segment_id ${id},
      template_id ${id},
      body_html text,
      body_text text,
      track_opens boolean NOT NULL,
      track_clicks boolean NOT NULL,
      throttle jsonb NOT NULL,
      warnings jsonb NOT NULL DEFAULT '[]',
      ignored_limits jsonb NOT NULL DEFAULT '[]',
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      job_id ${id},
      scheduled_at timestamptz,
      started_at timestamptz,
      frozen_at timestamptz,
      freeze_cursor ${id},
      finished_at timestamptz,
      sent_event_at timestamptz,
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK (status <> 'scheduled' OR scheduled_at IS NOT NULL)
    ) WITH (fillfactor = 85);
    CREATE UNIQUE INDEX mail_campaigns_by_number ON mail_campaigns (number, organization_id);
    CREATE UNIQUE INDEX mail_campaigns_external_id_once ON mail_campaigns (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX mail_campaigns_by_creation ON mail_campaigns (organization_id, created_at, id);
    CREATE INDEX mail_campaigns_by_change ON mail_campaigns (organization_id, updated_at, id);
    CREATE INDEX mail_campaigns_by_status ON mail_campaigns (organization_id, status, created_at, id);
    CREATE INDEX mail_campaigns_by_list ON mail_campaigns USING gin (organization_id, list_ids);
    CREATE INDEX mail_campaigns_by_excluded ON mail_campaigns USING gin (organization_id, exclude_list_ids);
    CREATE INDEX mail_campaigns_by_segment ON mail_campaigns (organization_id, segment_id)
      WHERE segment_id IS NOT NULL;
    CREATE INDEX mail_campaigns_by_template ON mail_campaigns (organization_id, template_id)
      WHERE template_id IS NOT NULL;
    CREATE INDEX mail_campaigns_search ON mail_campaigns USING gin (organization_id, search_grams);
    CREATE INDEX mail_campaigns_due ON mail_campaigns (scheduled_at) WHERE status = 'scheduled';
    CREATE INDEX mail_campaigns_under_way ON mail_campaigns (organization_id, id) WHERE status = 'sending';

    CREATE TABLE mail_campaign_counts (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
      ${counted(COUNTS)},
      PRIMARY KEY (organization_id, campaign_id, slot),
      ${OF_CAMPAIGN}
    ) WITH (fillfactor = 50);

    CREATE TABLE mail_campaign_skips (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      reason ${id} NOT NULL,
      slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
      skipped integer NOT NULL,
      PRIMARY KEY (organization_id, campaign_id, reason, slot),
      ${OF_CAMPAIGN}
    ) WITH (fillfactor = 50);

    CREATE TABLE mail_campaign_hours (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      hour timestamptz NOT NULL,
      slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
      ${counted(['sent', 'opens', 'clicks', 'bounces', 'unsubscribes'])},
      PRIMARY KEY (organization_id, campaign_id, hour, slot),
      ${OF_CAMPAIGN}
    ) WITH (fillfactor = 50);

    CREATE TABLE mail_campaign_links (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      index integer NOT NULL,
      url text NOT NULL,
      PRIMARY KEY (organization_id, campaign_id, index),
      ${OF_CAMPAIGN}
    );

    CREATE TABLE mail_campaign_link_counts (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      index integer NOT NULL,
      slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
      ${counted(['clicks', 'unique_clicks'])},
      PRIMARY KEY (organization_id, campaign_id, index, slot),
      ${OF_CAMPAIGN}
    ) WITH (fillfactor = 50);

    CREATE TABLE mail_campaign_recipients (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      number integer NOT NULL CHECK (number > 0),
      id ${id} NOT NULL,
      contact_id ${id},
      email text,
      email_key ${id},
      email_hash bytea NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'skipped', 'unknown')),
      reason ${id},
      attempts smallint NOT NULL DEFAULT 0,
      smtp_response text,
      message_id ${id},
      next_attempt_at timestamptz,
      lease_until timestamptz,
      lease_id ${id},
      sent_at timestamptz,
      bounce_class ${id} CHECK (bounce_class IN ('hard', 'soft')),
      bounce_status ${id},
      bounce_diagnostic text,
      bounce_at timestamptz,
      complained_at timestamptz,
      unsubscribed_at timestamptz,
      tracked boolean NOT NULL,
      opened_at timestamptz,
      clicked_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, campaign_id, number),
      CONSTRAINT mail_campaign_recipients_contact_once UNIQUE (organization_id, campaign_id, contact_id),
      CONSTRAINT mail_campaign_recipients_id_once UNIQUE (organization_id, id),
      CHECK ((status = 'sending') = (lease_until IS NOT NULL)),
      ${OF_CAMPAIGN},
      FOREIGN KEY (organization_id, contact_id) REFERENCES mail_contacts (organization_id, id)
        ON DELETE SET NULL (contact_id)
    ) WITH (fillfactor = 70);
    CREATE INDEX mail_campaign_recipients_new ON mail_campaign_recipients (organization_id, campaign_id, number)
      WHERE status = 'queued' AND next_attempt_at IS NULL;
    CREATE INDEX mail_campaign_recipients_again
      ON mail_campaign_recipients (organization_id, campaign_id, next_attempt_at, number)
      WHERE status = 'queued' AND next_attempt_at IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_leased ON mail_campaign_recipients (lease_until) WHERE status = 'sending';
    CREATE INDEX mail_campaign_recipients_unsent
      ON mail_campaign_recipients (organization_id, campaign_id, status, number)
      WHERE status IN ('failed', 'skipped', 'unknown');
    CREATE INDEX mail_campaign_recipients_by_email
      ON mail_campaign_recipients (organization_id, campaign_id, email_key);
    CREATE INDEX mail_campaign_recipients_of_contact
      ON mail_campaign_recipients (organization_id, contact_id, campaign_id);
    CREATE INDEX mail_campaign_recipients_bounced
      ON mail_campaign_recipients (organization_id, contact_id, bounce_at) WHERE bounce_at IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_erased
      ON mail_campaign_recipients (organization_id, email_hash, sent_at) WHERE contact_id IS NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE mail_campaign_recipients, mail_campaign_link_counts, mail_campaign_links, mail_campaign_hours,
      mail_campaign_skips, mail_campaign_counts, mail_campaigns, mail_segments, mail_templates, mail_settings;
    ALTER TABLE mail_contacts DROP COLUMN last_sent_at, DROP COLUMN last_opened_at, DROP COLUMN last_clicked_at;
  `);
}
