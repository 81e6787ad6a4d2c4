// One column for each kind of record, so that each is a real reference; type and ID follow from them.
export const tags = `
  CREATE TABLE crm_tags (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    color text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT crm_tags_name_once UNIQUE (organization_id, name_key)
  );

  CREATE TABLE crm_tag_assignments (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    tag_id text COLLATE "C" NOT NULL,
    company_id text COLLATE "C",
    contact_id text COLLATE "C",
    deal_id text COLLATE "C",
    resource_type text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
      CASE WHEN company_id IS NOT NULL THEN 'company' WHEN contact_id IS NOT NULL THEN 'contact' ELSE 'deal' END
    ) STORED,
    resource_id text COLLATE "C" NOT NULL
      GENERATED ALWAYS AS (coalesce(company_id, contact_id, deal_id)) STORED,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT crm_tag_assignments_once UNIQUE (organization_id, tag_id, resource_id),
    CONSTRAINT crm_tag_assignments_one_record CHECK (num_nonnulls(company_id, contact_id, deal_id) = 1),
    FOREIGN KEY (organization_id, tag_id) REFERENCES crm_tags (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES crm_contacts (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, deal_id) REFERENCES crm_deals (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX crm_tag_assignments_by_company ON crm_tag_assignments (organization_id, company_id, tag_id)
    WHERE company_id IS NOT NULL;
  CREATE INDEX crm_tag_assignments_by_contact ON crm_tag_assignments (organization_id, contact_id, tag_id)
    WHERE contact_id IS NOT NULL;
  CREATE INDEX crm_tag_assignments_by_deal ON crm_tag_assignments (organization_id, deal_id, tag_id)
    WHERE deal_id IS NOT NULL;
`;

// An alias is what stays of a record that was merged into another: its old ID leads to the survivor.
export const fieldsAndAliases = `
  CREATE TABLE crm_custom_fields (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('company', 'contact', 'deal')),
    key text COLLATE "C" NOT NULL,
    label text NOT NULL,
    type text COLLATE "C" NOT NULL
      CHECK (type IN ('text', 'number', 'date', 'boolean', 'select', 'multi_select', 'url')),
    options text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT crm_custom_fields_key_once UNIQUE (organization_id, kind, key)
  );

  CREATE TABLE crm_aliases (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    company_id text COLLATE "C",
    contact_id text COLLATE "C",
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT crm_aliases_one_survivor CHECK (num_nonnulls(company_id, contact_id) = 1),
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, contact_id) REFERENCES crm_contacts (organization_id, id) ON DELETE CASCADE
  );
  CREATE INDEX crm_aliases_by_company ON crm_aliases (organization_id, company_id) WHERE company_id IS NOT NULL;
  CREATE INDEX crm_aliases_by_contact ON crm_aliases (organization_id, contact_id) WHERE contact_id IS NOT NULL;
`;
