import type { Knex } from 'knex';

/**
 * Organizations, people, credentials, and what every write leaves behind: events, audit entries, jobs to hand over,
 * the answers kept for repeated requests. IDs and names of machines are text in collation "C": they compare as bytes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE EXTENSION IF NOT EXISTS btree_gist;

    CREATE TABLE organizations (
      id text COLLATE "C" PRIMARY KEY,
      name text NOT NULL,
      slug text COLLATE "C" NOT NULL UNIQUE,
      api_version text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );

    CREATE TABLE users (
      id text COLLATE "C" PRIMARY KEY,
      name text NOT NULL,
      email text COLLATE "C" NOT NULL UNIQUE,
      email_verified boolean NOT NULL DEFAULT false,
      image text,
      locale text NOT NULL DEFAULT 'ja',
      last_organization_id text COLLATE "C" REFERENCES organizations (id),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );

    CREATE TABLE sessions (
      id text COLLATE "C" PRIMARY KEY,
      user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token text COLLATE "C" NOT NULL UNIQUE,
      expires_at timestamptz NOT NULL,
      ip_address text,
      user_agent text,
      active_organization_id text COLLATE "C" REFERENCES organizations (id),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX sessions_by_user ON sessions (user_id);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);

    CREATE TABLE accounts (
      id text COLLATE "C" PRIMARY KEY,
      user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      account_id text COLLATE "C" NOT NULL,
      provider_id text COLLATE "C" NOT NULL,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      password text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (provider_id, account_id)
    );
    CREATE INDEX accounts_by_user ON accounts (user_id);

    CREATE TABLE verifications (
      id text COLLATE "C" PRIMARY KEY,
      identifier text COLLATE "C" NOT NULL,
      value text NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX verifications_by_identifier ON verifications (identifier);

    CREATE TABLE members (
      organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
      id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL REFERENCES users (id),
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'manager', 'member')),
      joined_at timestamptz NOT NULL,
      left_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT members_user_once UNIQUE (organization_id, user_id)
    );
    CREATE INDEX members_by_user ON members (user_id, organization_id);

    CREATE TABLE invitations (
      organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
      id text COLLATE "C" NOT NULL,
      email text NOT NULL,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'manager', 'member')),
      status text NOT NULL CHECK (status IN ('pending', 'accepted', 'revoked', 'expired')),
      invited_by text COLLATE "C" NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, invited_by) REFERENCES members (organization_id, user_id)
    );
    CREATE UNIQUE INDEX invitations_pending_once ON invitations (organization_id, lower(email))
      WHERE status = 'pending';

    CREATE TABLE invitation_tokens (
      token_hash bytea PRIMARY KEY,
      organization_id text COLLATE "C" NOT NULL,
      invitation_id text COLLATE "C" NOT NULL,
      FOREIGN KEY (organization_id, invitation_id) REFERENCES invitations (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX invitation_tokens_by_invitation ON invitation_tokens (organization_id, invitation_id);

    CREATE TABLE api_keys (
      organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
      id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      start text COLLATE "C" NOT NULL,
      scopes text[] NOT NULL,
      created_by text COLLATE "C" NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
    );
    CREATE INDEX api_keys_by_creator ON api_keys (organization_id, created_by);

    CREATE TABLE api_key_hashes (
      key_hash bytea PRIMARY KEY,
      organization_id text COLLATE "C" NOT NULL,
      api_key_id text COLLATE "C" NOT NULL,
      FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX api_key_hashes_by_key ON api_key_hashes (organization_id, api_key_id);

    CREATE TABLE idempotency_keys (
      organization_id text COLLATE "C" NOT NULL,
      credential_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      status smallint NOT NULL,
      headers jsonb NOT NULL,
      body jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, credential_id, key)
    );
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

    CREATE TABLE events (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      data jsonb NOT NULL,
      previous_attributes jsonb,
      request_id text COLLATE "C",
      created_at timestamptz NOT NULL,
      position bigint,
      PRIMARY KEY (organization_id, id)
    );
    CREATE UNIQUE INDEX events_in_order ON events (organization_id, position) WHERE position IS NOT NULL;
    CREATE INDEX events_by_type ON events (organization_id, type, position) WHERE position IS NOT NULL;
    CREATE INDEX events_without_position ON events (organization_id, id) WHERE position IS NULL;

    CREATE TABLE audit_logs (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      domain text COLLATE "C" NOT NULL,
      entity_type text COLLATE "C" NOT NULL,
      entity_id text COLLATE "C" NOT NULL,
      action text COLLATE "C" NOT NULL CHECK (action IN ('create', 'update', 'delete')),
      actor_type text COLLATE "C" NOT NULL,
      actor_id text COLLATE "C" NOT NULL,
      changes jsonb NOT NULL,
      request_id text COLLATE "C",
      ip_address text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX audit_logs_by_domain ON audit_logs (organization_id, domain, id);
    CREATE INDEX audit_logs_by_entity ON audit_logs (organization_id, entity_id, id);
    CREATE INDEX audit_logs_by_actor ON audit_logs (organization_id, actor_id, id);

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% takes inserts only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER audit_logs_insert_only BEFORE UPDATE OR DELETE ON audit_logs
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER audit_logs_never_emptied BEFORE TRUNCATE ON audit_logs
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE TABLE outbox (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      payload jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      handed_over_at timestamptz,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX outbox_waiting ON outbox (queue, id) WHERE handed_over_at IS NULL;

    CREATE TABLE receipts (
      organization_id text COLLATE "C" NOT NULL,
      delivery_id text COLLATE "C" NOT NULL,
      settled_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, delivery_id)
    );
    CREATE INDEX receipts_by_age ON receipts (settled_at);

    CREATE TABLE jobs (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL
        CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
      progress_done bigint NOT NULL DEFAULT 0,
      progress_total bigint,
      progress_unit text,
      result jsonb,
      error jsonb,
      created_by text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      PRIMARY KEY (organization_id, id)
    );
    CREATE INDEX jobs_by_status ON jobs (organization_id, status, id);
    CREATE INDEX jobs_by_kind ON jobs (organization_id, kind, id);
    CREATE INDEX jobs_by_creator ON jobs (organization_id, created_by, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE jobs, receipts, outbox, audit_logs, events, idempotency_keys, api_key_hashes, api_keys,
      invitation_tokens, invitations, members, verifications, accounts, sessions, users, organizations;
    DROP FUNCTION refuse_change();
  `);
}
