import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/**
 * Evidence: originals with their hashes. A document has the facts of its newest version, so that a list reads one table; no
 * version is ever removed. Companies are found by their own letters, what is written on the document by these.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE accounting_documents (
      ${ORGANIZATION},
      id ${id} NOT NULL,
      document_type ${id} NOT NULL,
      direction ${id} NOT NULL CHECK (direction IN ('received', 'issued')),
      transaction_date date NOT NULL,
      amount bigint NOT NULL CHECK (amount >= 0),
      company_id ${id},
      partner_name text,
      registration_number ${id},
      qualified boolean,
      received_via ${id} NOT NULL,
      note text,
      status ${id} NOT NULL CHECK (status IN ('active', 'discarded')),
      discard_reason text,
      external_id ${id},
      metadata jsonb NOT NULL,
      version integer NOT NULL,
      uploaded_by ${id},
      partner_text text NOT NULL,
      partner_grams integer[] NOT NULL,
      search_text text NOT NULL,
      search_grams integer[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CHECK (company_id IS NOT NULL OR partner_name IS NOT NULL),
      CHECK ((status = 'discarded') = (discard_reason IS NOT NULL)),
      FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id)
    );
    CREATE UNIQUE INDEX accounting_documents_external_id_once ON accounting_documents (organization_id, external_id);
    CREATE INDEX accounting_documents_by_date ON accounting_documents (organization_id, transaction_date, id);
    CREATE INDEX accounting_documents_by_amount ON accounting_documents (organization_id, amount, id);
    CREATE INDEX accounting_documents_by_company ON accounting_documents (organization_id, company_id, id)
      WHERE company_id IS NOT NULL;
    CREATE INDEX accounting_documents_by_registration ON accounting_documents (organization_id, registration_number)
      WHERE registration_number IS NOT NULL;
    CREATE INDEX accounting_documents_by_change ON accounting_documents (organization_id, updated_at, id);
    CREATE INDEX accounting_documents_partner ON accounting_documents USING gin (organization_id, partner_grams);
    CREATE INDEX accounting_documents_search ON accounting_documents USING gin (organization_id, search_grams);

    CREATE TABLE accounting_document_versions (
      ${ORGANIZATION},
      document_id ${id} NOT NULL,
      version integer NOT NULL CHECK (version > 0),
      storage_key ${id} NOT NULL,
      file_name text NOT NULL,
      content_type ${id} NOT NULL,
      size_bytes bigint NOT NULL,
      sha256 ${id} NOT NULL,
      uploaded_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, document_id, version),
      FOREIGN KEY (organization_id, document_id) REFERENCES accounting_documents (organization_id, id)
    );
    CREATE INDEX accounting_document_versions_by_hash ON accounting_document_versions (organization_id, sha256, document_id);

    CREATE TABLE accounting_document_links (
      ${ORGANIZATION},
      document_id ${id} NOT NULL,
      journal_id ${id} NOT NULL,
      created_by ${id},
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, document_id, journal_id),
      FOREIGN KEY (organization_id, document_id) REFERENCES accounting_documents (organization_id, id),
      FOREIGN KEY (organization_id, journal_id) REFERENCES accounting_journals (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX accounting_document_links_by_journal ON accounting_document_links (organization_id, journal_id, document_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE accounting_document_links, accounting_document_versions, accounting_documents');
}
