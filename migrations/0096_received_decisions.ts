import type { Knex } from 'knex';

/**
 * The bank account of a company's last approved invoice is read under a lock with every approval. What a document was made
 * of may stand in a table of another domain: a received quotation becomes a purchase order of ours.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE INDEX received_documents_last_account ON received_documents (organization_id, company_key, approved_at, id)
      WHERE kind = 'invoice' AND approved_at IS NOT NULL AND bank_account IS NOT NULL;
    ALTER TABLE invoicing_links DROP CONSTRAINT invoicing_links_organization_id_source_id_fkey;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP INDEX received_documents_last_account;
    DELETE FROM invoicing_links AS link
     WHERE NOT EXISTS (SELECT FROM invoicing_documents AS source
                        WHERE source.organization_id = link.organization_id AND source.id = link.source_id);
    ALTER TABLE invoicing_links ADD CONSTRAINT invoicing_links_organization_id_source_id_fkey
      FOREIGN KEY (organization_id, source_id) REFERENCES invoicing_documents (organization_id, id) ON DELETE CASCADE;
  `);
}
