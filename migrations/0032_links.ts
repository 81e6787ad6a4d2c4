import type { Knex } from 'knex';

/**
 * One table of links for every purpose. The two tables before it become views of it, so that the release before, which
 * runs beside this one during a deployment, goes on reading and writing links, sweeping them too (hence `ctid`). A link
 * that it makes names no generation: the trigger gives it the record's present one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE link_generations (
      organization_id text COLLATE "C" NOT NULL,
      purpose text COLLATE "C" NOT NULL,
      record_id text COLLATE "C" NOT NULL,
      generation integer NOT NULL,
      PRIMARY KEY (organization_id, purpose, record_id)
    );

    CREATE TABLE link_keys (
      purpose text COLLATE "C" NOT NULL,
      serial integer NOT NULL,
      key bytea NOT NULL,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      PRIMARY KEY (purpose, serial)
    );

    CREATE TABLE links (
      token_hash bytea PRIMARY KEY,
      organization_id text COLLATE "C" NOT NULL DEFAULT 'org_none',
      purpose text COLLATE "C" NOT NULL,
      record_id text COLLATE "C" NOT NULL,
      generation integer NOT NULL,
      key_serial integer,
      bound_to text COLLATE "C",
      max_uses integer,
      uses integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz,
      used_at timestamptz
    );

    CREATE FUNCTION present_link_generation(of_organization text, of_purpose text, of_record text)
    RETURNS integer LANGUAGE sql STABLE AS $$
      SELECT coalesce((SELECT generation FROM link_generations
        WHERE organization_id = of_organization AND purpose = of_purpose AND record_id = of_record), 1)
    $$;
    CREATE FUNCTION set_link_generation() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.generation := present_link_generation(NEW.organization_id, NEW.purpose, NEW.record_id);
      RETURN NEW;
    END $$;
    CREATE TRIGGER set_link_generation BEFORE INSERT ON links
      FOR EACH ROW WHEN (NEW.generation IS NULL) EXECUTE FUNCTION set_link_generation();

    LOCK TABLE invitation_tokens, account_tokens;
    INSERT INTO links (token_hash, organization_id, purpose, record_id)
      SELECT token_hash, organization_id, 'invitation', invitation_id FROM invitation_tokens;
    INSERT INTO links (token_hash, purpose, record_id, bound_to, max_uses, created_at, expires_at, used_at)
      SELECT token_hash, purpose, user_id, email, 1, created_at, expires_at, used_at FROM account_tokens;
    DROP TABLE invitation_tokens, account_tokens;
    CREATE INDEX links_by_record ON links (organization_id, purpose, record_id);
    CREATE INDEX links_by_expiry ON links (expires_at);

    CREATE VIEW invitation_tokens AS
      SELECT token_hash, organization_id, record_id AS invitation_id, purpose FROM links
       WHERE purpose = 'invitation'
         AND generation >= present_link_generation(organization_id, purpose, record_id);
    ALTER VIEW invitation_tokens ALTER COLUMN purpose SET DEFAULT 'invitation';

    CREATE VIEW account_tokens AS
      SELECT ctid, token_hash, record_id AS user_id, purpose, bound_to AS email, max_uses, created_at, expires_at,
             used_at
        FROM links
       WHERE purpose IN ('email_verification', 'password_reset')
         AND (used_at IS NOT NULL OR generation >= present_link_generation(organization_id, purpose, record_id));
    ALTER VIEW account_tokens ALTER COLUMN max_uses SET DEFAULT 1;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER VIEW invitation_tokens RENAME TO present_invitation_tokens;
    ALTER VIEW account_tokens RENAME TO present_account_tokens;

    CREATE TABLE invitation_tokens (
      token_hash bytea PRIMARY KEY,
      organization_id text COLLATE "C" NOT NULL,
      invitation_id text COLLATE "C" NOT NULL,
      FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX invitation_tokens_by_invitation ON invitation_tokens (organization_id, invitation_id);
    INSERT INTO invitation_tokens (token_hash, organization_id, invitation_id)
      SELECT token_hash, organization_id, invitation_id FROM present_invitation_tokens
       WHERE (organization_id, invitation_id) IN (SELECT organization_id, id FROM invitations);

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
    INSERT INTO account_tokens (token_hash, user_id, purpose, email, created_at, expires_at, used_at)
      SELECT token_hash, user_id, purpose, email, created_at, expires_at, used_at FROM present_account_tokens
       WHERE user_id IN (SELECT id FROM users);

    DROP VIEW present_invitation_tokens, present_account_tokens;
    DROP TABLE links, link_generations, link_keys;
    DROP FUNCTION set_link_generation(), present_link_generation(text, text, text);
  `);
}
