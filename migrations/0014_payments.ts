import type { Knex } from 'knex';

/**
 * What was paid of invoices, in whole yen. Whose payments they are follows from the invoice, whose company may be
 * merged into another; so the company does not stand here. The index by time holds the amounts that the dashboard
 * sums up.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invoicing_payments (
      organization_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      invoice_id text COLLATE "C" NOT NULL,
      paid_at timestamptz NOT NULL,
      amount bigint NOT NULL CHECK (amount > 0),
      method text COLLATE "C" NOT NULL CHECK (method IN ('bank_transfer', 'cash', 'card', 'offset', 'other')),
      fee_amount bigint NOT NULL CHECK (fee_amount >= 0),
      fee_borne_by text COLLATE "C" CHECK (fee_borne_by IN ('us', 'customer')),
      withheld_amount bigint NOT NULL CHECK (withheld_amount >= 0),
      note text,
      created_by text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK ((fee_amount = 0) = (fee_borne_by IS NULL)),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES invoicing_documents (organization_id, id),
      FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, user_id)
    );
    CREATE INDEX invoicing_payments_by_invoice ON invoicing_payments (organization_id, invoice_id, id);
    CREATE INDEX invoicing_payments_by_time ON invoicing_payments (organization_id, paid_at, id) INCLUDE (amount);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE invoicing_payments');
}
