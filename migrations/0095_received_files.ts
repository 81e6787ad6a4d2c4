import type { Knex } from 'knex';

const id = 'text COLLATE "C"';

/** Whose changes are evidence beside those of accounting's documents. */
const KINDS = ['received_invoice', 'received_quotation', 'received_purchase_order', 'received_delivery_note'];

const ofReceived = (row: string) =>
  `${row}domain = 'received' AND ${row}entity_type IN (${KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/**
 * Changes of received documents join the chain of evidence, those of before too. What a file is never changes; what stands in
 * its place, and that it cannot be read, is noted beside. What the PDF of a document prints stands here until it is rendered.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TRIGGER audit_logs_of_received AFTER INSERT ON audit_logs
      FOR EACH ROW WHEN (${ofReceived('NEW.')}) EXECUTE FUNCTION evidence_note_unsealed();
    INSERT INTO evidence_unsealed SELECT organization_id, id FROM audit_logs WHERE ${ofReceived('')}
      ON CONFLICT DO NOTHING;

    CREATE TRIGGER received_files_never_change
      BEFORE UPDATE OF organization_id, id, document_id, position, file_name, content_type, size_bytes, sha256, storage_key,
        uploaded_by, uploaded_at OR DELETE ON received_files
      FOR EACH ROW EXECUTE FUNCTION refuse_change();

    CREATE TABLE received_sheets (
      organization_id ${id} NOT NULL,
      job_id ${id} NOT NULL,
      print jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, job_id)
    );
    CREATE INDEX received_sheets_by_age ON received_sheets (created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE received_sheets;
    DROP TRIGGER received_files_never_change ON received_files;
    DROP TRIGGER audit_logs_of_received ON audit_logs;
  `);
}
