import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What a report tells is kept with it until it is applied. A recipient keeps what its bounce did to others, so that it can be taken
 * back: the suppression, and the revision of the contact that it made. The tokens of hooks are links.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE mail_inbound_messages ADD COLUMN event jsonb;
    ALTER TABLE mail_campaign_recipients
      ADD COLUMN bounce_suppression_id ${id},
      ADD COLUMN bounced_contact_at timestamptz;
    CREATE INDEX mail_campaign_recipients_with_bounce ON mail_campaign_recipients (organization_id, campaign_id, number)
      WHERE bounce_at IS NOT NULL;
    DROP TABLE mail_hook_tokens;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_hook_tokens (
      organization_id ${id} NOT NULL,
      token_hash ${id} NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );
    CREATE UNIQUE INDEX mail_hook_tokens_by_hash ON mail_hook_tokens (token_hash, organization_id);
    DROP INDEX mail_campaign_recipients_with_bounce;
    ALTER TABLE mail_campaign_recipients DROP COLUMN bounce_suppression_id, DROP COLUMN bounced_contact_at;
    ALTER TABLE mail_inbound_messages DROP COLUMN event;
  `);
}
