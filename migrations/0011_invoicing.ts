import type { Knex } from 'knex';

/**
 * Quotations, invoices, delivery notes, purchase orders and credit notes: one table, since they share their fields,
 * their list and their search. Amounts are whole yen. What is frozen on issue is kept by its print, not here.
 * Links say what was converted into what; the target may be a received invoice, so it has no foreign key.
 * A company is a customer from its first document on.
 * Lines are written and removed with their document alone, in the same transaction; a foreign key would look up that
 * one row for each of them, which took 0.4 of the 1.1 ms that a document of ten lines takes to insert.
 * The indexes by day of issue and of what is open hold all that the dashboard sums up: it reads no rows of the table.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(documents);
  await knex.raw(lines);
  await knex.raw(links);
  await knex.raw('ALTER TABLE crm_companies ADD COLUMN customer_since timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE crm_companies DROP COLUMN customer_since;
    DROP TABLE invoicing_links, invoicing_lines, invoicing_documents;
  `);
}

const documents = `
  CREATE TABLE invoicing_documents (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL
      CHECK (kind IN ('quotation', 'invoice', 'delivery_note', 'purchase_order', 'credit_note')),
    number text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    company_id text COLLATE "C" NOT NULL,
    contact_id text COLLATE "C",
    honorific text NOT NULL,
    company_snapshot jsonb,
    subject text,
    issue_date date NOT NULL,
    transaction_date date,
    transaction_from date,
    transaction_to date,
    due_date date,
    issuer_name text,
    issuer_detail text,
    issuer_registration_number text COLLATE "C",
    bank_account jsonb,
    memo text,
    internal_memo text,
    delivery_date date,
    delivery_place text,
    payment_terms_text text,
    show_prices boolean,
    tax_display_mode text COLLATE "C" NOT NULL,
    tax_rounding text COLLATE "C" NOT NULL,
    withholding_mode text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    subtotal bigint NOT NULL,
    tax bigint NOT NULL,
    total bigint NOT NULL,
    withholding_tax bigint NOT NULL,
    amount_due bigint NOT NULL,
    tax_breakdown jsonb NOT NULL,
    amount_paid bigint NOT NULL DEFAULT 0,
    credited bigint NOT NULL DEFAULT 0,
    balance bigint NOT NULL,
    sent_at timestamptz,
    approved_at timestamptz,
    approved_by text COLLATE "C",
    accepted_at timestamptz,
    rejected_at timestamptz,
    reject_reason text,
    delivered_at timestamptz,
    paid_at timestamptz,
    cancelled_at timestamptz,
    cancel_reason text,
    revises_id text COLLATE "C",
    invoice_id text COLLATE "C",
    reason text,
    search_text text COLLATE "C" NOT NULL,
    search_grams int4[] NOT NULL,
    created_by text COLLATE "C",
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT invoicing_documents_number_once UNIQUE (organization_id, kind, number),
    CHECK ((transaction_date IS NULL) <> (transaction_from IS NULL)),
    CHECK ((transaction_from IS NULL) = (transaction_to IS NULL)),
    FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id),
    FOREIGN KEY (organization_id, contact_id) REFERENCES crm_contacts (organization_id, id)
      ON DELETE SET NULL (contact_id),
    FOREIGN KEY (organization_id, revises_id) REFERENCES invoicing_documents (organization_id, id),
    FOREIGN KEY (organization_id, invoice_id) REFERENCES invoicing_documents (organization_id, id),
    FOREIGN KEY (organization_id, approved_by) REFERENCES members (organization_id, user_id),
    FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
  );
  CREATE INDEX invoicing_documents_by_kind ON invoicing_documents (organization_id, kind, id);
  CREATE INDEX invoicing_documents_by_status ON invoicing_documents (organization_id, kind, status, id);
  CREATE INDEX invoicing_documents_by_company ON invoicing_documents (organization_id, company_id, kind, id);
  CREATE INDEX invoicing_documents_by_contact ON invoicing_documents (organization_id, contact_id, kind, id)
    WHERE contact_id IS NOT NULL;
  CREATE INDEX invoicing_documents_by_issue ON invoicing_documents (organization_id, kind, issue_date, id)
    INCLUDE (status, total, balance, due_date, company_id, paid_at);
  CREATE INDEX invoicing_documents_by_due ON invoicing_documents (organization_id, kind, due_date, id);
  CREATE INDEX invoicing_documents_open ON invoicing_documents (organization_id, due_date, id)
    INCLUDE (issue_date, company_id, balance)
    WHERE kind = 'invoice' AND status IN ('approved', 'sent', 'partially_paid');
  CREATE INDEX invoicing_documents_by_total ON invoicing_documents (organization_id, kind, total, id);
  CREATE INDEX invoicing_documents_by_approval ON invoicing_documents (organization_id, kind, approved_at, id)
    WHERE approved_at IS NOT NULL;
  CREATE INDEX invoicing_documents_by_change ON invoicing_documents (organization_id, kind, updated_at, id);
  CREATE INDEX invoicing_documents_of_invoice ON invoicing_documents (organization_id, invoice_id)
    WHERE invoice_id IS NOT NULL;
  CREATE INDEX invoicing_documents_revising ON invoicing_documents (organization_id, revises_id)
    WHERE revises_id IS NOT NULL;
  CREATE INDEX invoicing_documents_search ON invoicing_documents USING gin (organization_id, kind, search_grams)
    WITH (gin_pending_list_limit = 256);
`;

const lines = `
  CREATE TABLE invoicing_lines (
    organization_id text COLLATE "C" NOT NULL,
    document_id text COLLATE "C" NOT NULL,
    position smallint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL CHECK (type IN ('item', 'text')),
    description text NOT NULL,
    item_code text,
    quantity numeric,
    unit text,
    unit_price numeric,
    tax_category text COLLATE "C",
    tax_rate smallint,
    withholding boolean NOT NULL,
    amount bigint,
    source_line_id text COLLATE "C",
    source_document_id text COLLATE "C",
    PRIMARY KEY (organization_id, document_id, position),
    CONSTRAINT invoicing_lines_once UNIQUE (organization_id, id)
  );
  CREATE INDEX invoicing_lines_by_source ON invoicing_lines (organization_id, source_line_id)
    WHERE source_line_id IS NOT NULL;
`;

const links = `
  CREATE TABLE invoicing_links (
    organization_id text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    target_id text COLLATE "C" NOT NULL,
    source_type text COLLATE "C" NOT NULL,
    target_type text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, source_id, target_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES invoicing_documents (organization_id, id)
      ON DELETE CASCADE
  );
  CREATE INDEX invoicing_links_by_target ON invoicing_links (organization_id, target_id);
`;
