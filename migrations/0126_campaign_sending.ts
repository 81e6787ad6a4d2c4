import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What all processes that send mails of campaigns share: how much of the limits is used up, and how fast each domain may be mailed.
 * Instants of limits are microseconds since 1970. A scope is a campaign or the organization; the one pace of the installation
 * belongs to no organization. A job is paused with the campaign that it works for. Refusals that came in a row are judged when the row ends: until then nobody has bounced.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE jobs DROP CONSTRAINT jobs_status_check;
    ALTER TABLE jobs ADD CONSTRAINT jobs_status_check
      CHECK (status IN ('queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled')) NOT VALID;
    ALTER TABLE jobs VALIDATE CONSTRAINT jobs_status_check;

    ALTER TABLE mail_campaigns ADD COLUMN unreachable_since timestamptz;
    CREATE INDEX mail_campaigns_by_job ON mail_campaigns (organization_id, job_id) WHERE job_id IS NOT NULL;
    CREATE INDEX mail_campaign_recipients_unjudged ON mail_campaign_recipients (organization_id, campaign_id, number)
      WHERE status = 'failed' AND reason = 'refused_in_a_row';

    CREATE TABLE mail_send_paces (
      organization_id ${id} NOT NULL,
      scope ${id} NOT NULL,
      next_at bigint NOT NULL,
      used_hour integer NOT NULL,
      used_day integer NOT NULL,
      PRIMARY KEY (organization_id, scope)
    ) WITH (fillfactor = 50);

    CREATE TABLE mail_send_spans (
      organization_id ${id} NOT NULL,
      scope ${id} NOT NULL,
      span ${id} NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
      until bigint NOT NULL,
      count integer NOT NULL,
      PRIMARY KEY (organization_id, scope, span, until)
    );
    CREATE INDEX mail_send_spans_by_time ON mail_send_spans (until);

    CREATE TABLE mail_send_installation (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      next_at bigint NOT NULL
    );

    CREATE TABLE mail_domain_speeds (
      organization_id ${id} NOT NULL,
      domain ${id} NOT NULL,
      interval_ms integer NOT NULL CHECK (interval_ms > 0),
      changed_at timestamptz NOT NULL,
      next_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, domain)
    ) WITH (fillfactor = 50);
    CREATE INDEX mail_domain_speeds_by_time ON mail_domain_speeds (changed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE mail_domain_speeds, mail_send_installation, mail_send_spans, mail_send_paces;
    DROP INDEX mail_campaign_recipients_unjudged, mail_campaigns_by_job;
    ALTER TABLE mail_campaigns DROP COLUMN unreachable_since;
    UPDATE jobs SET status = 'cancelled', finished_at = now() WHERE status = 'paused';
    ALTER TABLE jobs DROP CONSTRAINT jobs_status_check;
    ALTER TABLE jobs ADD CONSTRAINT jobs_status_check
      CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'));
  `);
}
