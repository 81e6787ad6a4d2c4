// `name_key` is the name without its legal form, for duplicates; `sort_name` the kana where there is one.
export const companies = `
  CREATE TABLE crm_companies (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    name_kana text,
    corporate_number text COLLATE "C",
    invoice_registration_number text COLLATE "C",
    domain text,
    website text,
    phone text,
    fax text,
    email text,
    postal_code text,
    prefecture text,
    city text,
    address_line text,
    building text,
    industry text,
    employee_count integer,
    capital bigint,
    fiscal_month smallint,
    payment_terms jsonb,
    honorific text NOT NULL,
    owner_id text COLLATE "C",
    parent_id text COLLATE "C",
    note text,
    custom_fields jsonb NOT NULL,
    external_id text COLLATE "C",
    open_deals integer NOT NULL DEFAULT 0,
    open_amount bigint NOT NULL DEFAULT 0,
    open_amounts jsonb NOT NULL DEFAULT '[]',
    sort_name text COLLATE "C" NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    email_key text COLLATE "C",
    phone_digits text COLLATE "C",
    search_text text COLLATE "C" NOT NULL,
    search_grams int4[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id),
    FOREIGN KEY (organization_id, parent_id) REFERENCES crm_companies (organization_id, id)
      ON DELETE SET NULL (parent_id)
  );
  CREATE UNIQUE INDEX crm_companies_corporate_number_once ON crm_companies (organization_id, corporate_number)
    WHERE corporate_number IS NOT NULL;
  CREATE UNIQUE INDEX crm_companies_external_id_once ON crm_companies (organization_id, external_id)
    WHERE external_id IS NOT NULL;
  CREATE INDEX crm_companies_by_owner ON crm_companies (organization_id, owner_id, id);
  CREATE INDEX crm_companies_by_parent ON crm_companies (organization_id, parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX crm_companies_by_name ON crm_companies (organization_id, sort_name, id);
  CREATE INDEX crm_companies_by_open_amount ON crm_companies (organization_id, open_amount, id);
  CREATE INDEX crm_companies_by_change ON crm_companies (organization_id, updated_at, id);
  CREATE INDEX crm_companies_by_name_key ON crm_companies (organization_id, name_key, id);
  CREATE INDEX crm_companies_by_email ON crm_companies (organization_id, email_key, id)
    WHERE email_key IS NOT NULL;
  CREATE INDEX crm_companies_by_phone ON crm_companies (organization_id, phone_digits, id)
    WHERE phone_digits IS NOT NULL;
  CREATE INDEX crm_companies_by_number
    ON crm_companies (organization_id, coalesce(corporate_number, substr(invoice_registration_number, 2)), id)
    WHERE corporate_number IS NOT NULL OR invoice_registration_number IS NOT NULL;
  CREATE INDEX crm_companies_search ON crm_companies USING gin (organization_id, search_grams)
    WITH (gin_pending_list_limit = 256);
`;

export const contacts = `
  CREATE TABLE crm_contacts (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    first_name text COLLATE "C" NOT NULL,
    last_name text COLLATE "C" NOT NULL,
    first_name_kana text,
    last_name_kana text,
    full_name text NOT NULL,
    email text,
    phone text,
    position text,
    company_id text COLLATE "C",
    owner_id text COLLATE "C",
    note text,
    custom_fields jsonb NOT NULL,
    external_id text COLLATE "C",
    sort_name text COLLATE "C" NOT NULL,
    email_key text COLLATE "C",
    phone_digits text COLLATE "C",
    search_text text COLLATE "C" NOT NULL,
    search_grams int4[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
      ON DELETE SET NULL (company_id),
    FOREIGN KEY (organization_id, owner_id) REFERENCES members (organization_id, user_id)
  );
  CREATE UNIQUE INDEX crm_contacts_external_id_once ON crm_contacts (organization_id, external_id)
    WHERE external_id IS NOT NULL;
  CREATE INDEX crm_contacts_by_company ON crm_contacts (organization_id, company_id, id)
    WHERE company_id IS NOT NULL;
  CREATE INDEX crm_contacts_by_owner ON crm_contacts (organization_id, owner_id, id);
  CREATE INDEX crm_contacts_by_name ON crm_contacts (organization_id, sort_name, id);
  CREATE INDEX crm_contacts_by_first_name ON crm_contacts (organization_id, first_name, id);
  CREATE INDEX crm_contacts_by_last_name ON crm_contacts (organization_id, last_name, id);
  CREATE INDEX crm_contacts_by_email ON crm_contacts (organization_id, email_key, id);
  CREATE INDEX crm_contacts_by_phone ON crm_contacts (organization_id, phone_digits, id)
    WHERE phone_digits IS NOT NULL;
  CREATE INDEX crm_contacts_by_change ON crm_contacts (organization_id, updated_at, id);
  CREATE INDEX crm_contacts_search ON crm_contacts USING gin (organization_id, search_grams)
    WITH (gin_pending_list_limit = 256);
`;
