export const pipelines = `
  CREATE TABLE crm_pipelines (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    is_default boolean NOT NULL,
    sort_order integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  CREATE UNIQUE INDEX crm_pipelines_default_once ON crm_pipelines (organization_id) WHERE is_default;

  CREATE TABLE crm_stages (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    pipeline_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    slug text COLLATE "C" NOT NULL,
    sort_order integer NOT NULL,
    type text COLLATE "C" NOT NULL CHECK (type IN ('open', 'won', 'lost')),
    probability smallint NOT NULL CHECK (probability BETWEEN 0 AND 100),
    stale_after_days integer,
    color text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, pipeline_id) REFERENCES crm_pipelines (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT crm_stages_slug_once UNIQUE (organization_id, pipeline_id, slug),
    CONSTRAINT crm_stages_of_pipeline UNIQUE (organization_id, pipeline_id, id)
  );
`;

// `probability` is the one in force, so that it can be sorted by; `has_own_probability` says that the deal set it.
// The company's searched text stands apart, so that renaming it is one statement over its deals.
export const deals = `
  CREATE TABLE crm_deals (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    pipeline_id text COLLATE "C" NOT NULL,
    stage_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('open', 'won', 'lost')),
    amount numeric NOT NULL CHECK (amount >= 0),
    currency text COLLATE "C" NOT NULL,
    probability smallint NOT NULL CHECK (probability BETWEEN 0 AND 100),
    has_own_probability boolean NOT NULL,
    expected_close_date date,
    closed_at timestamptz,
    owner_id text COLLATE "C",
    company_id text COLLATE "C",
    lost_reason text,
    source text,
    last_stage_id text COLLATE "C",
    stage_entered_at timestamptz NOT NULL,
    position numeric NOT NULL,
    custom_fields jsonb NOT NULL,
    external_id text COLLATE "C",
    created_by text COLLATE "C",
    sort_name text COLLATE "C" NOT NULL,
    own_search_text text COLLATE "C" NOT NULL,
    own_search_grams int4[] NOT NULL,
    company_search_text text COLLATE "C" NOT NULL,
    company_search_grams int4[] NOT NULL,
    search_text text COLLATE "C" NOT NULL
      GENERATED ALWAYS AS (own_search_text || chr(10) || company_search_text) STORED,
    search_grams int4[] NOT NULL GENERATED ALWAYS AS (own_search_grams || company_search_grams) STORED,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, pipeline_id, stage_id)
      REFERENCES crm_stages (organization_id, pipeline_id, id),
    FOREIGN KEY (organization_id, last_stage_id) REFERENCES crm_stages (organization_id, id)
      ON DELETE SET NULL (last_stage_id),
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
      ON DELETE SET NULL (company_id),
    FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id),
    FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
  );
  CREATE UNIQUE INDEX crm_deals_external_id_once ON crm_deals (organization_id, external_id)
    WHERE external_id IS NOT NULL;
  CREATE INDEX crm_deals_by_pipeline ON crm_deals (organization_id, pipeline_id, id);
  CREATE INDEX crm_deals_by_stage ON crm_deals (organization_id, stage_id, id);
  CREATE INDEX crm_deals_on_board ON crm_deals (organization_id, stage_id, position, id)
    INCLUDE (currency, amount, probability);
  CREATE INDEX crm_deals_by_last_stage ON crm_deals (organization_id, last_stage_id)
    WHERE last_stage_id IS NOT NULL;
  CREATE INDEX crm_deals_by_status ON crm_deals (organization_id, status, id);
  CREATE INDEX crm_deals_by_company ON crm_deals (organization_id, company_id, id) WHERE company_id IS NOT NULL;
  CREATE INDEX crm_deals_by_owner ON crm_deals (organization_id, owner_id, id);
  CREATE INDEX crm_deals_by_name ON crm_deals (organization_id, sort_name, id);
  CREATE INDEX crm_deals_by_amount ON crm_deals (organization_id, amount, id);
  CREATE INDEX crm_deals_by_close_date ON crm_deals (organization_id, expected_close_date, id);
  CREATE INDEX crm_deals_by_probability ON crm_deals (organization_id, probability, id);
  CREATE INDEX crm_deals_by_change ON crm_deals (organization_id, updated_at, id);
  CREATE INDEX crm_deals_search ON crm_deals USING gin (organization_id, search_grams)
    WITH (gin_pending_list_limit = 256);

  CREATE TABLE crm_deal_contacts (
    organization_id text COLLATE "C" NOT NULL,
    deal_id text COLLATE "C" NOT NULL,
    contact_id text COLLATE "C" NOT NULL,
    sort_order smallint NOT NULL,
    PRIMARY KEY (organization_id, deal_id, contact_id),
    FOREIGN KEY (organization_id, deal_id) REFERENCES crm_deals (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES crm_contacts (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX crm_deal_contacts_by_contact ON crm_deal_contacts (organization_id, contact_id, deal_id);
`;

export const activities = `
  CREATE TABLE crm_activities (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL CHECK (type IN ('note', 'call', 'email', 'meeting')),
    content text NOT NULL,
    deal_id text COLLATE "C",
    contact_id text COLLATE "C",
    company_id text COLLATE "C",
    occurred_at timestamptz NOT NULL,
    duration_minutes integer,
    due_at timestamptz,
    done_at timestamptz,
    created_by text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, deal_id) REFERENCES crm_deals (organization_id, id)
      ON DELETE SET NULL (deal_id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES crm_contacts (organization_id, id)
      ON DELETE SET NULL (contact_id),
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
      ON DELETE SET NULL (company_id),
    FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
  );
  CREATE INDEX crm_activities_by_type ON crm_activities (organization_id, type, id);
  CREATE INDEX crm_activities_by_deal ON crm_activities (organization_id, deal_id, occurred_at, id)
    WHERE deal_id IS NOT NULL;
  CREATE INDEX crm_activities_by_contact ON crm_activities (organization_id, contact_id, occurred_at, id)
    WHERE contact_id IS NOT NULL;
  CREATE INDEX crm_activities_by_company ON crm_activities (organization_id, company_id, occurred_at, id)
    WHERE company_id IS NOT NULL;
  CREATE INDEX crm_activities_by_change ON crm_activities (organization_id, updated_at, id);
`;
