import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * Who sent a received document, where documents are compared: the company, else its name folded. For how many years an
 * organization keeps documents is known since when, because fewer years hold for later ones alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE received_documents ADD COLUMN company_key ${id};
    UPDATE received_documents SET company_key = company_id WHERE company_id IS NOT NULL;
    UPDATE received_documents SET retention_date =
      coalesce(transaction_to, transaction_date, issue_date, received_on);
    ALTER TABLE received_documents DROP COLUMN retention_until;
    CREATE INDEX received_documents_alike
      ON received_documents (organization_id, kind, company_key, total, (coalesce(issue_date, received_on)), id)
      WHERE company_key IS NOT NULL AND total <> 0 AND status <> 'rejected';

    CREATE TABLE accounting_retention_rules (
      organization_id ${id} NOT NULL,
      since timestamptz NOT NULL,
      years integer NOT NULL CHECK (years BETWEEN 7 AND 30),
      PRIMARY KEY (organization_id, since)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE accounting_retention_rules;
    DROP INDEX received_documents_alike;
    ALTER TABLE received_documents DROP COLUMN company_key;
    ALTER TABLE received_documents ADD COLUMN retention_until date;
  `);
}
