import type { Knex } from 'knex';

/**
 * Mail contacts, their lists, the addresses that must never be mailed again.
 * A bulk import pays for every index of `mail_contacts` (measured: a quarter of its time for a third one over all
 * rows), so there are two, and others over the few rows that have what they are about. The letters of a contact
 * stand in a table of their own: one write fills it at once, an import leaves one row a chunk in
 * `mail_contacts_unindexed`, either a range of new contacts or the IDs of changed ones, which searches read beside
 * the index until a sweep has filled it. Its list of pending entries is longer than that of the CRM's indexes: the
 * sweep is more than twice as fast with 1 MB as with 256 kB, and no faster with more.
 * `import_id` names the import that made a row; it outlives that import's own record, so it refers to nothing.
 * `email_hash` is SHA-256 of the organization and the e-mail as it is compared: it tells an erased address again, and
 * not which organizations share one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_contacts (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      email text NOT NULL,
      email_key text COLLATE "C" NOT NULL,
      first_name text,
      last_name text,
      full_name text,
      status text COLLATE "C" NOT NULL CHECK (status IN ('active', 'unsubscribed', 'bounced')),
      status_reason text,
      refused_at timestamptz,
      attributes jsonb NOT NULL,
      consent jsonb,
      search_text text COLLATE "C" NOT NULL,
      import_id text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT mail_contacts_email_once UNIQUE (organization_id, email_key)
    );
    CREATE INDEX mail_contacts_by_change ON mail_contacts (organization_id, updated_at, id)
      WHERE updated_at > created_at;
    CREATE INDEX mail_contacts_by_refusal ON mail_contacts (organization_id, status, id) WHERE status <> 'active';

    CREATE TABLE mail_contact_grams (
      organization_id text COLLATE "C" NOT NULL,
      contact_id text COLLATE "C" NOT NULL,
      search_grams int4[] NOT NULL,
      PRIMARY KEY (organization_id, contact_id),
      FOREIGN KEY (organization_id, contact_id) REFERENCES mail_contacts (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX mail_contacts_search ON mail_contact_grams USING gin (organization_id, search_grams)
      WITH (gin_pending_list_limit = 1024);

    CREATE TABLE mail_contacts_unindexed (
      organization_id text COLLATE "C" NOT NULL,
      id bigint GENERATED ALWAYS AS IDENTITY,
      first_contact_id text COLLATE "C",
      last_contact_id text COLLATE "C",
      contact_ids text[] COLLATE "C",
      due_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK ((contact_ids IS NULL) = (first_contact_id IS NOT NULL AND last_contact_id IS NOT NULL))
    );
    CREATE INDEX mail_contacts_unindexed_by_time ON mail_contacts_unindexed (due_at);

    CREATE TABLE mail_lists (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      description text,
      contact_count integer NOT NULL DEFAULT 0,
      active_count integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT mail_lists_name_once UNIQUE (organization_id, name_key)
    );

    CREATE TABLE mail_list_members (
      organization_id text COLLATE "C" NOT NULL,
      list_id text COLLATE "C" NOT NULL,
      contact_id text COLLATE "C" NOT NULL,
      added_at timestamptz NOT NULL,
      unsubscribed_at timestamptz,
      import_id text COLLATE "C",
      PRIMARY KEY (organization_id, list_id, contact_id),
      FOREIGN KEY (organization_id, list_id) REFERENCES mail_lists (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, contact_id) REFERENCES mail_contacts (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX mail_list_members_by_contact ON mail_list_members (organization_id, contact_id);

    CREATE TABLE suppressions (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      email text,
      email_hash bytea NOT NULL,
      reason text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT suppressions_email_once UNIQUE (organization_id, email_hash)
    );
    CREATE INDEX suppressions_by_change ON suppressions (organization_id, updated_at, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE suppressions, mail_list_members, mail_lists, mail_contacts_unindexed, mail_contact_grams, mail_contacts;
  `);
}
