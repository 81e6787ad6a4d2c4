import type { Knex } from 'knex';

/**
 * Documents refer to companies, which they follow when those are merged, and are listed in the order of their IDs, which begin
 * with the time they were made. Who does not see every document finds their own by creator and viewers.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sign_documents
      ADD CONSTRAINT sign_documents_organization_id_company_id_fkey
        FOREIGN KEY (organization_id, company_id) REFERENCES crm_companies (organization_id, id);
    DROP INDEX sign_documents_living, sign_documents_by_status;
    CREATE INDEX sign_documents_living ON sign_documents (organization_id, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_status ON sign_documents (organization_id, status, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_creator ON sign_documents (organization_id, created_by, id)
      WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_for_all ON sign_documents (organization_id, id)
      WHERE visibility = 'organization' AND erased_at IS NULL;
    CREATE INDEX sign_documents_by_viewer ON sign_documents USING gin (organization_id, viewers);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX sign_documents_by_viewer, sign_documents_for_all, sign_documents_by_creator, sign_documents_by_status,
      sign_documents_living;
    CREATE INDEX sign_documents_living ON sign_documents (organization_id, created_at, id) WHERE erased_at IS NULL;
    CREATE INDEX sign_documents_by_status ON sign_documents (organization_id, status, created_at, id)
      WHERE erased_at IS NULL;
    ALTER TABLE sign_documents DROP CONSTRAINT sign_documents_organization_id_company_id_fkey;
  `);
}
