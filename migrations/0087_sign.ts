import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OF_DOCUMENT =
  'FOREIGN KEY (organization_id, document_id) REFERENCES sign_documents (organization_id, id)';
const OF_SIGNER = 'FOREIGN KEY (organization_id, signer_id) REFERENCES sign_signers (organization_id, id)';

/**
 * Documents with their signers and fields, their files, and the trail, which takes inserts alone. Codes that were mailed and
 * accesses of guests stand apart, so that a document's row is written only when the document changes. A row of a reminder
 * is unique for its signer and number: whoever adds it sends it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE sign_settings (
      ${ORGANIZATION},
      default_auth ${id} NOT NULL,
      expiry_days integer NOT NULL,
      expiry_warning_days integer NOT NULL,
      reminders jsonb NOT NULL,
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      time_zone ${id} NOT NULL,
      link_days integer NOT NULL,
      retention_years integer NOT NULL,
      approval_required boolean NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );

    CREATE TABLE sign_documents (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      title text NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('draft', 'sent', 'signed', 'cancelled')),
      message text,
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      time_zone ${id} NOT NULL,
      expires_at timestamptz,
      visibility ${id} NOT NULL CHECK (visibility IN ('private', 'organization')),
      viewers jsonb NOT NULL DEFAULT '[]',
      allow_forward boolean NOT NULL,
      internal_memo text,
      reminders jsonb NOT NULL,
      transaction_date date,
      amount bigint,
      counterparty_name text,
      company_id ${id},
      source jsonb,
      warnings jsonb NOT NULL DEFAULT '[]',
      cancel_reason ${id} CHECK (cancel_reason IN ('by_sender', 'declined', 'expired')),
      cancel_note text,
      sealing_status ${id} NOT NULL DEFAULT 'none' CHECK (sealing_status IN ('none', 'pending', 'done', 'failed')),
      sealing_attempts integer NOT NULL DEFAULT 0,
      sealing_error ${id},
      sealing_since timestamptz,
      seal jsonb,
      seal_renew_at timestamptz,
      trail_length integer NOT NULL DEFAULT 0,
      trail_head ${id} NOT NULL,
      needs_attention boolean NOT NULL DEFAULT false,
      expiry_warned_at timestamptz,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_by ${id},
      sent_at timestamptz,
      signed_at timestamptz,
      cancelled_at timestamptz,
      ended_on date,
      retention_until date,
      erased_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK (status = 'draft' OR sent_at IS NOT NULL OR cancel_reason IS NOT NULL OR erased_at IS NOT NULL),
      CHECK ((sealing_status = 'pending') = (sealing_since IS NOT NULL))
    ) WITH (fillfactor = 85);
    CREATE UNIQUE INDEX sign_documents_external_id_once ON sign_documents (organization_id, external_id)
      WHERE external_id IS NOT NULL AND erased_at IS NULL;
    CREATE INDEX sign_documents_living ON sign_documents (organization_id, created_at, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_change ON sign_documents (organization_id, updated_at, id);
    CREATE INDEX sign_documents_by_status ON sign_documents (organization_id, status, created_at, id)
      WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_sending ON sign_documents (organization_id, sent_at, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_expiry ON sign_documents (organization_id, expires_at, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_date ON sign_documents (organization_id, transaction_date, id)
      WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_amount ON sign_documents (organization_id, amount, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_title ON sign_documents (organization_id, title, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_company ON sign_documents (organization_id, company_id, id)
      WHERE company_id IS NOT NULL;
    CREATE INDEX sign_documents_in_need ON sign_documents (organization_id, id)
      WHERE needs_attention AND erased_at IS NULL;
    CREATE INDEX sign_documents_expiring ON sign_documents (expires_at) WHERE status = 'sent';
    CREATE INDEX sign_documents_sealing ON sign_documents (sealing_since) WHERE sealing_status = 'pending';
    CREATE INDEX sign_documents_to_renew ON sign_documents (seal_renew_at) WHERE seal_renew_at IS NOT NULL;
    CREATE INDEX sign_documents_search ON sign_documents USING gin (organization_id, search_grams);

    CREATE TABLE sign_files (
      ${ORGANIZATION},
      document_id ${id} NOT NULL,
      kind ${id} NOT NULL CHECK (kind IN ('original', 'redrawn', 'signed', 'certificate')),
      version integer NOT NULL CHECK (version > 0),
      is_present boolean NOT NULL,
      storage_key ${id} NOT NULL,
      file_name text NOT NULL,
      size_bytes bigint NOT NULL,
      sha256 ${id} NOT NULL,
      page_count integer NOT NULL,
      has_signatures boolean NOT NULL,
      geometry jsonb,
      values_sha256 ${id},
      seal_digest ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, document_id, kind, version),
      ${OF_DOCUMENT}
    );
    CREATE UNIQUE INDEX sign_files_present_once ON sign_files (organization_id, document_id, kind)
      WHERE is_present AND kind <> 'redrawn';
    CREATE UNIQUE INDEX sign_files_redrawn_once ON sign_files (organization_id, document_id, values_sha256)
      WHERE kind = 'redrawn';
    CREATE INDEX sign_files_by_content ON sign_files (organization_id, storage_key);
    CREATE INDEX sign_files_by_hash ON sign_files (sha256);
    CREATE INDEX sign_files_by_seal ON sign_files (seal_digest) WHERE seal_digest IS NOT NULL;

    CREATE TABLE sign_signers (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      document_id ${id} NOT NULL,
      position integer NOT NULL,
      key ${id} NOT NULL,
      name text,
      email text,
      email_key ${id},
      role ${id} NOT NULL CHECK (role IN ('signer', 'approver', 'cc')),
      order_group integer NOT NULL,
      auth ${id} NOT NULL CHECK (auth IN ('none', 'access_code', 'email_otp', 'access_code_and_otp')),
      access_code_hash text,
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      time_zone ${id} NOT NULL,
      status ${id} NOT NULL
        CHECK (status IN ('waiting', 'notified', 'viewed', 'signed', 'declined', 'expired', 'cancelled')),
      delivery ${id} NOT NULL DEFAULT 'none'
        CHECK (delivery IN ('none', 'queued', 'sending', 'sent', 'failed', 'unknown')),
      delivery_error ${id},
      failed_tries integer NOT NULL DEFAULT 0,
      is_locked boolean NOT NULL DEFAULT false,
      locked_until timestamptz,
      notified_at timestamptz,
      viewed_at timestamptz,
      signed_at timestamptz,
      signed_from jsonb,
      decline_reason text,
      reminders_sent integer NOT NULL DEFAULT 0,
      next_reminder_at timestamptz,
      reminded_at timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, document_id, position) DEFERRABLE INITIALLY DEFERRED,
      UNIQUE (organization_id, document_id, key) DEFERRABLE INITIALLY DEFERRED,
      ${OF_DOCUMENT}
    ) WITH (fillfactor = 85);
    CREATE INDEX sign_signers_by_email ON sign_signers (organization_id, email_key, document_id);
    CREATE INDEX sign_signers_to_remind ON sign_signers (next_reminder_at) WHERE next_reminder_at IS NOT NULL;

    CREATE TABLE sign_fields (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      document_id ${id} NOT NULL,
      signer_id ${id} NOT NULL,
      position integer NOT NULL,
      key ${id},
      type ${id} NOT NULL,
      page integer NOT NULL,
      x numeric NOT NULL,
      y numeric NOT NULL,
      w numeric NOT NULL,
      h numeric NOT NULL,
      required boolean NOT NULL,
      label text,
      options jsonb,
      font_size numeric NOT NULL,
      validation jsonb,
      prefill jsonb,
      value jsonb,
      read_only boolean NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, document_id, position) DEFERRABLE INITIALLY DEFERRED,
      ${OF_DOCUMENT},
      ${OF_SIGNER}
    );
    CREATE INDEX sign_fields_of_signer ON sign_fields (organization_id, signer_id);

    CREATE TABLE sign_trail (
      ${ORGANIZATION},
      document_id ${id} NOT NULL,
      seq integer NOT NULL CHECK (seq > 0),
      id ${id} NOT NULL,
      type ${id} NOT NULL,
      actor jsonb NOT NULL,
      ip_address ${id},
      user_agent text,
      at timestamptz NOT NULL,
      data jsonb NOT NULL,
      prev_hash ${id} NOT NULL,
      hash ${id} NOT NULL,
      PRIMARY KEY (organization_id, document_id, seq),
      ${OF_DOCUMENT}
    );
    CREATE INDEX sign_trail_by_type ON sign_trail (organization_id, document_id, type, seq);
    CREATE TRIGGER sign_trail_insert_only BEFORE UPDATE OR DELETE ON sign_trail
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER sign_trail_never_emptied BEFORE TRUNCATE ON sign_trail
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE TABLE sign_codes (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      signer_id ${id} NOT NULL,
      code_hash text,
      is_alive boolean NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_SIGNER} ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX sign_codes_alive_once ON sign_codes (organization_id, signer_id) WHERE is_alive;
    CREATE INDEX sign_codes_of_signer ON sign_codes (organization_id, signer_id, created_at);
    CREATE INDEX sign_codes_by_age ON sign_codes (created_at);

    CREATE TABLE sign_accesses (
      ${ORGANIZATION},
      token_hash ${id} NOT NULL,
      signer_id ${id} NOT NULL,
      link_hash ${id} NOT NULL,
      downloaded jsonb NOT NULL DEFAULT '[]',
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, token_hash),
      ${OF_SIGNER} ON DELETE CASCADE
    );
    CREATE INDEX sign_accesses_of_signer ON sign_accesses (organization_id, signer_id);
    CREATE INDEX sign_accesses_by_age ON sign_accesses (expires_at);

    CREATE TABLE sign_reminders (
      ${ORGANIZATION},
      signer_id ${id} NOT NULL,
      kind ${id} NOT NULL CHECK (kind IN ('reminder', 'warning', 'by_hand')),
      number integer NOT NULL,
      due_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, signer_id, kind, number),
      ${OF_SIGNER} ON DELETE CASCADE
    );

    CREATE TABLE sign_seal_certificates (
      sha256 ${id} PRIMARY KEY,
      chain text NOT NULL,
      created_at timestamptz NOT NULL
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE sign_seal_certificates, sign_reminders, sign_accesses, sign_codes, sign_trail, sign_fields, sign_signers,
      sign_files, sign_documents, sign_settings;
  `);
}
