import type { Knex } from 'knex';

/**
 * One counter for each organization, kind of document and period of its numbers, and the invoices that come in from
 * suppliers, which a purchase order becomes. Their company and their purchase order can be missing: an invoice may be
 * from anybody.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invoicing_counters (
      organization_id text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      period text COLLATE "C" NOT NULL,
      next bigint NOT NULL CHECK (next > 0),
      PRIMARY KEY (organization_id, kind, period)
    );

    CREATE TABLE received_invoices (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL
        CHECK (status IN ('pending', 'approved', 'rejected', 'partially_paid', 'paid')),
      number text,
      company_id text COLLATE "C",
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
      received_via text COLLATE "C" NOT NULL,
      purchase_order_id text COLLATE "C",
      created_by text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
    );
    CREATE INDEX received_invoices_by_company ON received_invoices (organization_id, company_id, id);
    CREATE INDEX received_invoices_by_order ON received_invoices (organization_id, purchase_order_id)
      WHERE purchase_order_id IS NOT NULL;

    CREATE TABLE received_invoice_lines (
      organization_id text COLLATE "C" NOT NULL,
      received_invoice_id text COLLATE "C" NOT NULL,
      position integer NOT NULL,
      id text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      description text NOT NULL,
      item_code text,
      quantity numeric,
      unit text,
      unit_price numeric,
      tax_category text COLLATE "C",
      tax_rate integer,
      withholding boolean NOT NULL,
      amount bigint,
      purchase_order_line_id text COLLATE "C",
      PRIMARY KEY (organization_id, received_invoice_id, position),
      CONSTRAINT received_invoice_lines_by_id UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, received_invoice_id) REFERENCES received_invoices (organization_id, id)
        ON DELETE CASCADE
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE received_invoice_lines, received_invoices, invoicing_counters');
}
