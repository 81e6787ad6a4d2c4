import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/**
 * What comes back of a campaign's mails, the keys that sign and receive them, and the records that the law wants kept:
 * a record of consent takes no change, and goes only in a transaction that says its time is over.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_hook_tokens (
      ${ORGANIZATION},
      token_hash ${id} NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );
    CREATE UNIQUE INDEX mail_hook_tokens_by_hash ON mail_hook_tokens (token_hash, organization_id);

    CREATE TABLE mail_dkim_keys (
      ${ORGANIZATION},
      selector ${id} NOT NULL,
      domain ${id} NOT NULL,
      dns_name ${id} NOT NULL,
      dns_value text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, selector)
    );
    CREATE INDEX mail_dkim_keys_by_domain ON mail_dkim_keys (organization_id, domain);

    CREATE TABLE mail_campaign_reads (
      ${ORGANIZATION},
      campaign_id ${id} NOT NULL,
      recipient_number integer NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      kind ${id} NOT NULL CHECK (kind IN ('open', 'click')),
      link_index integer,
      is_robot boolean NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, campaign_id, recipient_number, id),
      CHECK ((kind = 'click') = (link_index IS NOT NULL)),
      FOREIGN KEY (organization_id, campaign_id) REFERENCES mail_campaigns (organization_id, id)
        ON DELETE CASCADE
    );
    CREATE INDEX mail_campaign_reads_by_time ON mail_campaign_reads (at);

    CREATE TABLE mail_inbound_messages (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      source ${id} NOT NULL CHECK (source IN ('hook', 'mailbox')),
      digest ${id} NOT NULL,
      result ${id}
        CHECK (result IN ('bounce', 'complaint', 'unsubscribe', 'auto_reply', 'unmatched', 'ignored')),
      recipient_id ${id},
      bounce jsonb,
      content bytea,
      received_at timestamptz NOT NULL,
      applied_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT mail_inbound_messages_once UNIQUE (organization_id, digest)
    );
    CREATE INDEX mail_inbound_messages_by_creation ON mail_inbound_messages (organization_id, created_at, id);
    CREATE INDEX mail_inbound_messages_by_change ON mail_inbound_messages (organization_id, updated_at, id);
    CREATE INDEX mail_inbound_messages_by_result
      ON mail_inbound_messages (organization_id, result, created_at, id);
    CREATE INDEX mail_inbound_messages_of_recipient ON mail_inbound_messages (organization_id, recipient_id)
      WHERE recipient_id IS NOT NULL;
    CREATE INDEX mail_inbound_messages_unapplied ON mail_inbound_messages (received_at) WHERE applied_at IS NULL;
    CREATE INDEX mail_inbound_messages_with_content ON mail_inbound_messages (received_at)
      WHERE content IS NOT NULL;

    CREATE TABLE mail_consent_records (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      contact_id ${id} NOT NULL,
      email text NOT NULL,
      email_hash bytea NOT NULL,
      consent jsonb,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX mail_consent_records_by_email ON mail_consent_records (organization_id, email_hash, created_at, id);
    CREATE INDEX mail_consent_records_by_creation ON mail_consent_records (organization_id, created_at, id);

    CREATE FUNCTION mail_keep_consent_record() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND current_setting('mail.retention_is_over', true) = 'on' THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% takes inserts only', TG_TABLE_NAME;
    END $$;
    CREATE TRIGGER mail_consent_records_insert_only BEFORE UPDATE OR DELETE ON mail_consent_records
      FOR EACH ROW EXECUTE FUNCTION mail_keep_consent_record();
    CREATE TRIGGER mail_consent_records_never_emptied BEFORE TRUNCATE ON mail_consent_records
      FOR EACH STATEMENT EXECUTE FUNCTION mail_keep_consent_record();

    CREATE TABLE mail_law_periods (
      kind ${id} NOT NULL CHECK (kind IN ('advertisement', 'mail_order')),
      valid_from date NOT NULL,
      keep_months integer NOT NULL CHECK (keep_months > 0),
      source text NOT NULL,
      PRIMARY KEY (kind, valid_from)
    );
    INSERT INTO mail_law_periods (kind, valid_from, keep_months, source) VALUES
      ('advertisement', '2008-12-01', 1, '特定電子メール法施行規則 第4条'),
      ('mail_order', '2008-12-01', 36, '特定商取引法施行規則（通信販売の電子メール広告の記録）');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE mail_law_periods, mail_consent_records, mail_inbound_messages, mail_campaign_reads, mail_dkim_keys,
      mail_hook_tokens;
    DROP FUNCTION mail_keep_consent_record();
  `);
}
