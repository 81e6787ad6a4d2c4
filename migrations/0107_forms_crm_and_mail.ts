import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Responses refer to contacts and companies, settings to a mailing list, as every other table does. An opt-in is asked for by
 * a form or by staff, and confirmed by its link. Mails about responses are rows, so that each leaves once, and an address
 * gets no more receipts than it may.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE forms_responses
      ADD CONSTRAINT forms_responses_crm_contact FOREIGN KEY (organization_id, crm_contact_id)
        REFERENCES crm_contacts (organization_id, id),
      ADD CONSTRAINT forms_responses_crm_company FOREIGN KEY (organization_id, crm_company_id)
        REFERENCES crm_companies (organization_id, id);

    ALTER TABLE forms_settings
      ADD COLUMN mailing_list_id ${id} GENERATED ALWAYS AS (mailing_list ->> 'list_id') STORED,
      ADD CONSTRAINT forms_settings_mailing_list FOREIGN KEY (organization_id, mailing_list_id)
        REFERENCES mail_lists (organization_id, id);
    CREATE INDEX forms_settings_of_list ON forms_settings (organization_id, mailing_list_id)
      WHERE mailing_list_id IS NOT NULL;

    ALTER TABLE forms_invitations ADD COLUMN mail_id ${id};

    CREATE TABLE mail_opt_ins (
      organization_id ${id} NOT NULL,
      id ${id} NOT NULL,
      email text NOT NULL,
      email_key ${id} NOT NULL,
      list_id ${id} NOT NULL,
      first_name text,
      last_name text,
      text text,
      source text,
      locale ${id} NOT NULL CHECK (locale IN ('ja', 'en')),
      mail_id ${id},
      confirmed_at timestamptz,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, list_id) REFERENCES mail_lists (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX mail_opt_ins_by_creation ON mail_opt_ins (organization_id, created_at, id);
    CREATE INDEX mail_opt_ins_by_change ON mail_opt_ins (organization_id, updated_at, id);
    CREATE INDEX mail_opt_ins_by_email ON mail_opt_ins (organization_id, email_key, created_at);
    CREATE INDEX mail_opt_ins_of_list ON mail_opt_ins (organization_id, list_id);
    CREATE INDEX mail_opt_ins_waiting ON mail_opt_ins (organization_id, expires_at, created_at, id)
      WHERE confirmed_at IS NULL;

    CREATE TABLE forms_mails (
      organization_id ${id} NOT NULL,
      mail_id ${id} NOT NULL,
      response_id ${id} NOT NULL,
      kind ${id} NOT NULL CHECK (kind IN ('notice', 'receipt')),
      email text NOT NULL,
      email_key ${id} NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, mail_id),
      FOREIGN KEY (organization_id, response_id) REFERENCES forms_responses (organization_id, id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED
    );
    CREATE UNIQUE INDEX forms_mails_once ON forms_mails (organization_id, response_id, kind, email_key);
    CREATE INDEX forms_mails_by_address ON forms_mails (organization_id, email_key, created_at) WHERE kind = 'receipt';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE forms_mails, mail_opt_ins;
    ALTER TABLE forms_invitations DROP COLUMN mail_id;
    ALTER TABLE forms_settings DROP COLUMN mailing_list_id;
    ALTER TABLE forms_responses DROP CONSTRAINT forms_responses_crm_contact,
      DROP CONSTRAINT forms_responses_crm_company;
  `);
}
