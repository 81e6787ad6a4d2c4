import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OF_FORM = 'FOREIGN KEY (organization_id, form_id) REFERENCES forms_forms (organization_id, id)';
const OF_RESPONSE =
  'FOREIGN KEY (organization_id, response_id) REFERENCES forms_responses (organization_id, id)';

/**
 * Forms with their slugs, settings and frozen versions; responses with their files and the e-mail addresses among their
 * answers; invitations and saved partials. Counters are 16 rows a form, so that responses do not wait for each other at
 * one of them. A nonce is used up by the response that bears it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE forms_forms (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      title text NOT NULL,
      slug ${id} NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('draft', 'published', 'archived')),
      schema_json text NOT NULL,
      published_version integer,
      published_at timestamptz,
      archived_at timestamptz,
      has_unpublished_changes boolean NOT NULL,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 85);
    CREATE UNIQUE INDEX forms_forms_external_id_once ON forms_forms (organization_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX forms_forms_by_creation ON forms_forms (organization_id, created_at, id);
    CREATE INDEX forms_forms_by_change ON forms_forms (organization_id, updated_at, id);
    CREATE INDEX forms_forms_by_status ON forms_forms (organization_id, status, created_at, id);
    CREATE INDEX forms_forms_search ON forms_forms USING gin (organization_id, search_grams);

    CREATE TABLE forms_slugs (
      ${ORGANIZATION},
      slug ${id} NOT NULL,
      form_id ${id} NOT NULL,
      is_present boolean NOT NULL,
      PRIMARY KEY (organization_id, slug),
      ${OF_FORM} ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX forms_slugs_present_once ON forms_slugs (organization_id, form_id) WHERE is_present;
    CREATE INDEX forms_slugs_of_form ON forms_slugs (organization_id, form_id);

    CREATE TABLE forms_settings (
      ${ORGANIZATION},
      form_id ${id} NOT NULL,
      time_zone ${id} NOT NULL,
      opens_at timestamptz,
      closes_at timestamptz,
      max_responses integer CHECK (max_responses BETWEEN 1 AND 1000000),
      one_per ${id} NOT NULL CHECK (one_per IN ('none', 'email')),
      one_per_field ${id},
      access ${id} NOT NULL CHECK (access IN ('open', 'invited')),
      embed_origins jsonb NOT NULL,
      notify jsonb NOT NULL,
      receipt_mail jsonb NOT NULL,
      allow_edit_hours integer NOT NULL CHECK (allow_edit_hours BETWEEN 0 AND 720),
      resume_days integer NOT NULL CHECK (resume_days BETWEEN 0 AND 90),
      retention_days integer CHECK (retention_days BETWEEN 1 AND 3650),
      spam jsonb NOT NULL,
      crm jsonb NOT NULL,
      mailing_list jsonb,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, form_id),
      CHECK (one_per = 'none' OR one_per_field IS NOT NULL),
      CHECK (opens_at < closes_at),
      ${OF_FORM} ON DELETE CASCADE
    );
    CREATE INDEX forms_settings_with_retention ON forms_settings (organization_id, form_id)
      WHERE retention_days IS NOT NULL;

    CREATE TABLE forms_versions (
      ${ORGANIZATION},
      form_id ${id} NOT NULL,
      number integer NOT NULL CHECK (number > 0),
      id ${id} NOT NULL,
      title text NOT NULL,
      schema_json text NOT NULL,
      sha256 ${id} NOT NULL,
      published_at timestamptz NOT NULL,
      published_by ${id},
      PRIMARY KEY (organization_id, form_id, number),
      UNIQUE (organization_id, id),
      ${OF_FORM} ON DELETE CASCADE
    );

    CREATE TABLE forms_counts (
      ${ORGANIZATION},
      form_id ${id} NOT NULL,
      slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
      response_count integer NOT NULL DEFAULT 0,
      spam_count integer NOT NULL DEFAULT 0,
      last_response_at timestamptz,
      PRIMARY KEY (organization_id, form_id, slot),
      ${OF_FORM} ON DELETE CASCADE
    ) WITH (fillfactor = 50);

    CREATE TABLE forms_visits (
      ${ORGANIZATION},
      form_id ${id} NOT NULL,
      page_id ${id} NOT NULL DEFAULT '',
      views bigint NOT NULL DEFAULT 0,
      starts bigint NOT NULL DEFAULT 0,
      reached bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (organization_id, form_id, page_id),
      ${OF_FORM} ON DELETE CASCADE
    ) WITH (fillfactor = 50);

    CREATE TABLE forms_invitations (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      email text NOT NULL,
      email_key ${id} NOT NULL,
      name text,
      hidden jsonb NOT NULL DEFAULT '{}',
      token_hash ${id} NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_FORM} ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX forms_invitations_by_token ON forms_invitations (token_hash, organization_id);
    CREATE INDEX forms_invitations_of_form ON forms_invitations (organization_id, form_id, created_at, id);
    CREATE INDEX forms_invitations_by_email ON forms_invitations (organization_id, email_key);

    CREATE TABLE forms_responses (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      form_version integer NOT NULL,
      data jsonb NOT NULL,
      hidden jsonb NOT NULL DEFAULT '{}',
      scores jsonb NOT NULL DEFAULT '{}',
      dropped_fields jsonb NOT NULL DEFAULT '[]',
      ending_id ${id},
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      source ${id} NOT NULL CHECK (source IN ('page', 'public', 'api')),
      invitation_id ${id},
      is_spam boolean NOT NULL DEFAULT false,
      spam_reasons jsonb NOT NULL DEFAULT '[]',
      made_up_at timestamptz,
      status ${id} NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'done')),
      assignee_id ${id},
      crm_status ${id} NOT NULL DEFAULT 'none'
        CHECK (crm_status IN ('none', 'created', 'linked', 'updated', 'failed')),
      crm_contact_id ${id},
      crm_company_id ${id},
      crm_error ${id},
      note text,
      seconds_to_submit integer,
      nonce_hash ${id},
      payload_sha256 ${id},
      receipt_hash ${id},
      address_hash ${id},
      person_key ${id},
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      submitted_at timestamptz NOT NULL,
      edited_at timestamptz,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, form_id, form_version)
        REFERENCES forms_versions (organization_id, form_id, number)
    ) WITH (fillfactor = 90);
    CREATE UNIQUE INDEX forms_responses_nonce_once ON forms_responses (organization_id, form_id, nonce_hash)
      WHERE nonce_hash IS NOT NULL;
    CREATE UNIQUE INDEX forms_responses_by_receipt ON forms_responses (receipt_hash, organization_id)
      WHERE receipt_hash IS NOT NULL;
    CREATE INDEX forms_responses_of_form ON forms_responses (organization_id, form_id, is_spam, submitted_at, id);
    CREATE INDEX forms_responses_by_change ON forms_responses (organization_id, form_id, updated_at, id);
    CREATE INDEX forms_responses_of_person ON forms_responses (organization_id, form_id, person_key)
      WHERE person_key IS NOT NULL AND NOT is_spam;
    CREATE INDEX forms_responses_of_invitation ON forms_responses (organization_id, invitation_id)
      WHERE invitation_id IS NOT NULL;
    CREATE INDEX forms_responses_search ON forms_responses USING gin (organization_id, search_grams);
    CREATE INDEX forms_responses_by_contact ON forms_responses (organization_id, crm_contact_id)
      WHERE crm_contact_id IS NOT NULL;
    CREATE INDEX forms_responses_by_company ON forms_responses (organization_id, crm_company_id)
      WHERE crm_company_id IS NOT NULL;
    CREATE INDEX forms_responses_with_address ON forms_responses (submitted_at) WHERE address_hash IS NOT NULL;

    CREATE TABLE forms_emails (
      ${ORGANIZATION},
      response_id ${id} NOT NULL,
      field_id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      email_key ${id} NOT NULL,
      PRIMARY KEY (organization_id, response_id, field_id),
      ${OF_RESPONSE} ON DELETE CASCADE
    );
    CREATE INDEX forms_emails_by_address ON forms_emails (organization_id, email_key, response_id);

    CREATE TABLE forms_files (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      field_id ${id} NOT NULL,
      nonce_hash ${id},
      response_id ${id},
      partial_id ${id},
      file_name text NOT NULL,
      size_bytes bigint NOT NULL,
      content_type ${id} NOT NULL,
      sha256 ${id} NOT NULL,
      storage_key ${id} NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_FORM}
    );
    CREATE INDEX forms_files_of_response ON forms_files (organization_id, response_id) WHERE response_id IS NOT NULL;
    CREATE INDEX forms_files_of_form ON forms_files (organization_id, form_id);
    CREATE INDEX forms_files_unclaimed ON forms_files (created_at) WHERE response_id IS NULL AND partial_id IS NULL;

    CREATE TABLE forms_partials (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      form_id ${id} NOT NULL,
      form_version integer NOT NULL,
      token_hash ${id} NOT NULL,
      nonce_hash ${id} NOT NULL,
      form_token text NOT NULL,
      invitation_id ${id},
      data jsonb NOT NULL,
      hidden jsonb NOT NULL DEFAULT '{}',
      email_keys jsonb NOT NULL DEFAULT '[]',
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_FORM} ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX forms_partials_by_token ON forms_partials (token_hash, organization_id);
    CREATE INDEX forms_partials_of_form ON forms_partials (organization_id, form_id);
    CREATE INDEX forms_partials_by_end ON forms_partials (expires_at);
    CREATE INDEX forms_partials_by_email ON forms_partials USING gin (email_keys jsonb_path_ops);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE forms_partials, forms_files, forms_emails, forms_responses, forms_invitations, forms_visits, forms_counts,
      forms_versions, forms_settings, forms_slugs, forms_forms;
  `);
}
