import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * What is set off between what a company owes us and what we owe it is one entry for both: a row for each, with the payments
 * of both sides. Of a payment of a received invoice it is known which of the two debts it paid. A transfer file waits in its row
 * until a worker has stored it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE accounting_offsets (
      organization_id ${id} NOT NULL,
      source_id ${id} NOT NULL,
      company_id ${id} NOT NULL,
      day date NOT NULL,
      amount bigint NOT NULL,
      payment_id ${id},
      received_payment_id ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, source_id),
      CHECK (payment_id IS NOT NULL OR received_payment_id IS NOT NULL)
    );
    CREATE UNIQUE INDEX accounting_offsets_of_payment
      ON accounting_offsets (organization_id, payment_id) WHERE payment_id IS NOT NULL;
    CREATE UNIQUE INDEX accounting_offsets_of_received_payment
      ON accounting_offsets (organization_id, received_payment_id) WHERE received_payment_id IS NOT NULL;
    CREATE INDEX accounting_offsets_alike ON accounting_offsets (organization_id, day, amount, company_id);
    INSERT INTO accounting_offsets (organization_id, source_id, company_id, day, amount, payment_id, created_at)
      SELECT payment.organization_id, payment.id, invoice.company_id, payment.paid_on, payment.amount, payment.id,
             payment.created_at
        FROM invoicing_payments AS payment
        JOIN invoicing_documents AS invoice
          ON invoice.organization_id = payment.organization_id AND invoice.id = payment.invoice_id
       WHERE payment.method = 'offset';

    ALTER TABLE received_payments
      ADD COLUMN payable_amount bigint NOT NULL,
      ADD COLUMN paid_at timestamptz NOT NULL,
      ADD COLUMN external_id ${id},
      ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
    CREATE UNIQUE INDEX received_payments_external_id_once
      ON received_payments (organization_id, external_id) WHERE external_id IS NOT NULL;

    CREATE INDEX received_documents_due ON received_documents (organization_id, due_date, id)
      INCLUDE (company_id, balance)
      WHERE kind = 'invoice' AND status IN ('approved', 'partially_paid') AND balance <> 0;

    CREATE TABLE received_transfer_files (
      organization_id ${id} NOT NULL,
      job_id ${id} NOT NULL,
      content text NOT NULL,
      records integer NOT NULL,
      amount bigint NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, job_id)
    );
    CREATE INDEX received_transfer_files_by_age ON received_transfer_files (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE received_transfer_files, accounting_offsets;
    DROP INDEX received_documents_due, received_payments_external_id_once;
    ALTER TABLE received_payments DROP COLUMN payable_amount, DROP COLUMN paid_at, DROP COLUMN external_id, DROP COLUMN metadata;
  `);
}
