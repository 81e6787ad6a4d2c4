import type { Knex } from 'knex';

/**
 * Deliveries that are tried again or given up, mails, the links of account mails, who asked for a job (the key or
 * the person), and when each sweep ran last.
 * A mail names whom it is about by their IDs; address, text and link are made when it is sent.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE outbox
      ADD COLUMN attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN starts integer NOT NULL DEFAULT 0,
      ADD COLUMN due_at timestamptz,
      ADD COLUMN failed_at timestamptz,
      ADD COLUMN error text;
    DROP INDEX outbox_waiting;
    CREATE INDEX outbox_waiting ON outbox (queue, organization_id, COALESCE(due_at, created_at), id)
      WHERE handed_over_at IS NULL AND failed_at IS NULL;
    CREATE INDEX outbox_handed_over ON outbox (queue, organization_id, handed_over_at)
      WHERE handed_over_at IS NOT NULL AND failed_at IS NULL;
    CREATE INDEX outbox_failed ON outbox (queue, failed_at) WHERE failed_at IS NOT NULL;

    CREATE TABLE mails (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      purpose text COLLATE "C" NOT NULL,
      about jsonb NOT NULL,
      locale text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'unknown')),
      attempts integer NOT NULL DEFAULT 0,
      message_id text COLLATE "C",
      error text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      sending_at timestamptz,
      sent_at timestamptz,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX mails_by_status ON mails (organization_id, status, id);
    CREATE INDEX mails_in_trouble ON mails (id)
      WHERE status IN ('failed', 'unknown') OR (status = 'queued' AND error IS NOT NULL);

    CREATE TABLE account_tokens (
      token_hash bytea PRIMARY KEY,
      user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('email_verification', 'password_reset')),
      email text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      used_at timestamptz
    );
    CREATE INDEX account_tokens_by_user ON account_tokens (user_id, purpose);
    CREATE INDEX account_tokens_by_expiry ON account_tokens (expires_at);

    ALTER TABLE jobs ADD COLUMN asked_by text COLLATE "C";

    CREATE TABLE sweeps (
      name text COLLATE "C" PRIMARY KEY,
      started_at timestamptz NOT NULL,
      running_until timestamptz,
      finished_at timestamptz,
      error text
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE sweeps, account_tokens, mails;
    ALTER TABLE jobs DROP COLUMN asked_by;
    DROP INDEX outbox_waiting, outbox_handed_over, outbox_failed;
    ALTER TABLE outbox DROP COLUMN attempts, DROP COLUMN starts, DROP COLUMN due_at, DROP COLUMN failed_at,
      DROP COLUMN error;
    CREATE INDEX outbox_waiting ON outbox (queue, id) WHERE handed_over_at IS NULL;
  `);
}
