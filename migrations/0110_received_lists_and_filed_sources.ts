import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/**
 * The list of received documents of all kinds is sorted by each of their dates and by number. Records that entries are made from
 * are noted once they have a file, whichever release keeps it: the list of entries asks for it. Files are never removed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX received_documents_any_by_issue ON received_documents (organization_id, issue_date, id);
    CREATE INDEX received_documents_any_by_due ON received_documents (organization_id, due_date, id);
    CREATE INDEX received_documents_any_by_number ON received_documents (organization_id, number, id);

    CREATE TABLE accounting_filed_sources (
      organization_id ${id} NOT NULL,
      source_id ${id} NOT NULL,
      PRIMARY KEY (organization_id, source_id)
    );
    CREATE FUNCTION accounting_source_filed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO accounting_filed_sources (organization_id, source_id)
          VALUES (NEW.organization_id, NEW.document_id) ON CONFLICT DO NOTHING;
        RETURN NULL;
      END
    $$;
    CREATE TRIGGER received_files_of_source AFTER INSERT ON received_files
      FOR EACH ROW WHEN (NEW.document_id LIKE 'rinv\\_%') EXECUTE FUNCTION accounting_source_filed();
    INSERT INTO accounting_filed_sources (organization_id, source_id)
      SELECT DISTINCT organization_id, document_id FROM received_files WHERE document_id LIKE 'rinv\\_%';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER received_files_of_source ON received_files;
    DROP FUNCTION accounting_source_filed();
    DROP TABLE accounting_filed_sources;
    DROP INDEX received_documents_any_by_issue, received_documents_any_by_due, received_documents_any_by_number;
  `);
}
