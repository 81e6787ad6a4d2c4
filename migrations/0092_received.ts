import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;
const OF_DOCUMENT =
  'FOREIGN KEY (organization_id, document_id) REFERENCES received_documents (organization_id, id)';

/** What a received invoice had before, in the order of its table; the release before reads and writes these columns. */
const BEFORE = `organization_id, id, status, number, company_id, company_name, registration_number, issue_date,
  transaction_date, transaction_from, transaction_to, received_on, due_date, subject, memo, internal_memo,
  tax_display_mode, tax_rounding, withholding_mode, currency, subtotal, tax, total, withholding_tax, amount_due,
  tax_breakdown, received_via, purchase_order_id, created_by, created_at, updated_at`;

const LINE_BEFORE = `id, type, description, item_code, quantity, unit, unit_price, tax_category, tax_rate, withholding,
  amount, purchase_order_line_id`;

/**
 * All four kinds of received documents in one table, since they are listed together, with their lines, files and payments.
 * What counts as a duplicate is claimed: a row of `received_claims` for a number or the SHA-256 of a file, of which there is
 * one in a kind. The invoices that purchase orders became move here; the release before reads and writes them through views
 * of their former names.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE received_settings (
      ${ORGANIZATION},
      four_eyes boolean NOT NULL,
      match_policy ${id} NOT NULL CHECK (match_policy IN ('warn', 'block')),
      match_tolerance jsonb NOT NULL,
      small_amount_rule boolean NOT NULL,
      retention_years integer NOT NULL CHECK (retention_years BETWEEN 7 AND 30),
      default_due jsonb,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id)
    );

    CREATE TABLE received_documents (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      kind ${id} NOT NULL DEFAULT 'invoice'
        CHECK (kind IN ('invoice', 'quotation', 'purchase_order', 'delivery_note')),
      status ${id} NOT NULL CHECK (status IN
        ('pending', 'approved', 'rejected', 'partially_paid', 'paid', 'fulfilled', 'confirmed')),
      number text,
      company_id ${id},
      company_name text,
      registration_number text,
      issue_date date,
      transaction_date date,
      transaction_from date,
      transaction_to date,
      received_on date NOT NULL,
      due_date date,
      subject text,
      memo text,
      internal_memo text,
      tax_display_mode ${id} NOT NULL,
      tax_rounding ${id} NOT NULL,
      withholding_mode ${id} NOT NULL,
      currency ${id} NOT NULL,
      stated_breakdown jsonb,
      stated_total bigint,
      stated_withholding bigint,
      bank_account jsonb,
      subtotal bigint NOT NULL,
      tax bigint NOT NULL,
      total bigint NOT NULL,
      withholding_tax bigint NOT NULL,
      amount_due bigint NOT NULL,
      tax_breakdown jsonb NOT NULL,
      tax_differences jsonb NOT NULL DEFAULT '[]',
      received_via ${id} NOT NULL CHECK (received_via IN ('upload', 'api', 'email', 'scan', 'convert')),
      qualified boolean NOT NULL DEFAULT false,
      qualified_override boolean,
      deduction_basis ${id} NOT NULL DEFAULT 'auto' CHECK (deduction_basis IN ('auto', 'book_only')),
      deduction_reason text,
      input_tax jsonb,
      non_deductible bigint NOT NULL DEFAULT 0,
      purchase_order_id ${id},
      match_mode ${id} CHECK (match_mode IN ('three_way', 'two_way')),
      match jsonb,
      duplicate_of ${id},
      warnings jsonb NOT NULL DEFAULT '[]',
      missing jsonb NOT NULL DEFAULT '[]',
      file_count integer NOT NULL DEFAULT 0,
      retention_date date,
      retention_until date,
      reject_reason text,
      rejected_at timestamptz,
      approved_by ${id},
      approved_at timestamptz,
      confirmed_at timestamptz,
      fulfilled_on date,
      fulfilled_at timestamptz,
      posting_date date,
      transfer_date date,
      amount_paid bigint NOT NULL DEFAULT 0,
      balance bigint NOT NULL DEFAULT 0,
      paid_on date,
      paid_at timestamptz,
      external_id ${id},
      metadata jsonb NOT NULL DEFAULT '{}',
      search_text text NOT NULL DEFAULT '',
      search_grams integer[] NOT NULL DEFAULT '{}',
      partner_text text NOT NULL DEFAULT '',
      partner_grams integer[] NOT NULL DEFAULT '{}',
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
    );
    CREATE UNIQUE INDEX received_documents_external_id_once
      ON received_documents (organization_id, kind, external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX received_documents_by_kind ON received_documents (organization_id, kind, id);
    CREATE INDEX received_documents_by_company ON received_documents (organization_id, company_id, id)
      WHERE company_id IS NOT NULL;
    CREATE INDEX received_documents_by_order ON received_documents (organization_id, purchase_order_id)
      WHERE purchase_order_id IS NOT NULL;

    CREATE TABLE received_lines (
      ${ORGANIZATION},
      document_id ${id} NOT NULL,
      position integer NOT NULL,
      id ${id} NOT NULL,
      type ${id} NOT NULL,
      description text NOT NULL,
      item_code text,
      quantity numeric,
      unit text,
      unit_price numeric,
      tax_category ${id},
      tax_rate integer,
      withholding boolean NOT NULL,
      amount bigint,
      purchase_order_line_id ${id},
      account_id ${id},
      purpose ${id} CHECK (purpose IN ('taxable', 'common', 'exempt')),
      accepted_quantity numeric,
      reject_reason text,
      PRIMARY KEY (organization_id, document_id, position),
      CONSTRAINT received_lines_by_id UNIQUE (organization_id, id),
      ${OF_DOCUMENT} ON DELETE CASCADE
    );
    CREATE INDEX received_lines_by_order_line ON received_lines (organization_id, purchase_order_line_id)
      WHERE purchase_order_line_id IS NOT NULL;

    CREATE TABLE received_files (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      document_id ${id} NOT NULL,
      position integer NOT NULL,
      file_name text NOT NULL,
      content_type ${id} NOT NULL,
      size_bytes bigint NOT NULL,
      sha256 ${id} NOT NULL,
      storage_key ${id} NOT NULL,
      is_unreadable boolean NOT NULL DEFAULT false,
      superseded_by ${id},
      uploaded_by ${id},
      uploaded_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT received_files_of_document UNIQUE (organization_id, document_id, position),
      ${OF_DOCUMENT}
    );
    CREATE INDEX received_files_by_hash ON received_files (organization_id, sha256, document_id);

    CREATE TABLE received_claims (
      ${ORGANIZATION},
      kind ${id} NOT NULL,
      claim ${id} NOT NULL,
      document_id ${id} NOT NULL,
      PRIMARY KEY (organization_id, kind, claim),
      ${OF_DOCUMENT} ON DELETE CASCADE
    );
    CREATE INDEX received_claims_of_document ON received_claims (organization_id, document_id);

    CREATE TABLE received_payments (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      document_id ${id} NOT NULL,
      paid_on date NOT NULL,
      amount bigint NOT NULL CHECK (amount <> 0),
      method ${id} NOT NULL CHECK (method IN ('bank_transfer', 'cash', 'card', 'offset', 'other')),
      fee_amount bigint NOT NULL DEFAULT 0 CHECK (fee_amount >= 0),
      fee_borne_by ${id} CHECK (fee_borne_by IN ('us', 'supplier')),
      transferred_amount bigint NOT NULL,
      note text,
      created_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      ${OF_DOCUMENT}
    );
    CREATE INDEX received_payments_of_document ON received_payments (organization_id, document_id, paid_on, id);
    CREATE INDEX received_payments_by_day ON received_payments (organization_id, paid_on, id);

    INSERT INTO received_documents (${BEFORE}, match_mode, balance)
      SELECT ${BEFORE}, 'three_way', amount_due FROM received_invoices;
    INSERT INTO received_lines (organization_id, document_id, position, ${LINE_BEFORE}, purpose)
      SELECT organization_id, received_invoice_id, position, ${LINE_BEFORE}, 'taxable' FROM received_invoice_lines;
    DROP TABLE received_invoice_lines, received_invoices;

    CREATE VIEW received_invoices WITH (security_invoker = true) AS
      SELECT ${BEFORE} FROM received_documents WHERE kind = 'invoice';
    CREATE VIEW received_invoice_lines WITH (security_invoker = true) AS
      SELECT organization_id, document_id AS received_invoice_id, position, ${LINE_BEFORE} FROM received_lines;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP VIEW received_invoice_lines, received_invoices;
    CREATE TABLE received_invoices (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'partially_paid', 'paid')),
      number text,
      company_id ${id},
      company_name text,
      registration_number text,
      issue_date date,
      transaction_date date,
      transaction_from date,
      transaction_to date,
      received_on date NOT NULL,
      due_date date,
      subject text,
      memo text,
      internal_memo text,
      tax_display_mode ${id} NOT NULL,
      tax_rounding ${id} NOT NULL,
      withholding_mode ${id} NOT NULL,
      currency ${id} NOT NULL,
      subtotal bigint NOT NULL,
      tax bigint NOT NULL,
      total bigint NOT NULL,
      withholding_tax bigint NOT NULL,
      amount_due bigint NOT NULL,
      tax_breakdown jsonb NOT NULL,
      received_via ${id} NOT NULL,
      purchase_order_id ${id},
      created_by ${id},
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
    );
    CREATE INDEX received_invoices_by_company ON received_invoices (organization_id, company_id, id);
    CREATE INDEX received_invoices_by_order ON received_invoices (organization_id, purchase_order_id)
      WHERE purchase_order_id IS NOT NULL;
    CREATE TABLE received_invoice_lines (
      ${ORGANIZATION},
      received_invoice_id ${id} NOT NULL,
      position integer NOT NULL,
      id ${id} NOT NULL,
      type ${id} NOT NULL,
      description text NOT NULL,
      item_code text,
      quantity numeric,
      unit text,
      unit_price numeric,
      tax_category ${id},
      tax_rate integer,
      withholding boolean NOT NULL,
      amount bigint,
      purchase_order_line_id ${id},
      PRIMARY KEY (organization_id, received_invoice_id, position),
      CONSTRAINT received_invoice_lines_by_id UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, received_invoice_id) REFERENCES received_invoices (organization_id, id)
        ON DELETE CASCADE
    );
    INSERT INTO received_invoices (${BEFORE}) SELECT ${BEFORE} FROM received_documents WHERE kind = 'invoice';
    INSERT INTO received_invoice_lines (organization_id, received_invoice_id, position, ${LINE_BEFORE})
      SELECT organization_id, document_id, position, ${LINE_BEFORE} FROM received_lines AS line
       WHERE EXISTS (SELECT FROM received_invoices AS invoice
                      WHERE invoice.organization_id = line.organization_id AND invoice.id = line.document_id);
    DROP TABLE received_payments, received_claims, received_files, received_lines, received_documents, received_settings;
  `);
}
