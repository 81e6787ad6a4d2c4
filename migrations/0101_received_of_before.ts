import type { Knex } from 'knex';

/**
 * Invoices that the release before makes while both serve get at once what lists of dates, the comparison with others and the
 * due list read; so do those that it made since the tables moved. It alone makes invoices without a mode of matching. What
 * only code can tell follows with their first change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE received_documents SET company_key = coalesce(company_key, company_id), match_mode = 'three_way',
        balance = amount_due - amount_paid,
        retention_date = coalesce(transaction_to, transaction_date, issue_date, received_on)
      WHERE kind = 'invoice' AND match_mode IS NULL;
    UPDATE received_lines SET purpose = 'taxable' FROM received_documents AS document
      WHERE document.organization_id = received_lines.organization_id AND document.id = document_id
        AND document.kind = 'invoice' AND type = 'item' AND purpose IS NULL;

    CREATE FUNCTION received_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.company_key := NEW.company_id;
        NEW.match_mode := 'three_way';
        NEW.balance := NEW.amount_due;
        NEW.retention_date :=
          coalesce(NEW.transaction_to, NEW.transaction_date, NEW.issue_date, NEW.received_on);
        RETURN NEW;
      END
    $$;
    CREATE TRIGGER received_documents_of_before BEFORE INSERT ON received_documents
      FOR EACH ROW WHEN (NEW.kind = 'invoice' AND NEW.match_mode IS NULL) EXECUTE FUNCTION received_of_before();
    ALTER TABLE received_lines ALTER COLUMN purpose SET DEFAULT 'taxable';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE received_lines ALTER COLUMN purpose DROP DEFAULT;
    DROP TRIGGER received_documents_of_before ON received_documents;
    DROP FUNCTION received_of_before();
  `);
}
