import type { Knex } from 'knex';

const id = 'text COLLATE "C"';
const ORGANIZATION = `organization_id ${id} NOT NULL`;

/** Whose changes are evidence: the conditions of the triggers that note them. */
const ACCOUNTING = `domain = 'accounting' AND entity_type = 'document'`;

/**
 * A chain over the change history of evidence, one for each organization. An entry is noted by the transaction that writes
 * it, and sealed after the commit: what a link says of an entry is in `canonical`, `hash` is that of these bytes. Neither
 * the entries nor the links ever change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE evidence_unsealed (
      ${ORGANIZATION},
      audit_log_id ${id} NOT NULL,
      PRIMARY KEY (organization_id, audit_log_id)
    );
    CREATE TABLE evidence_chain (
      ${ORGANIZATION},
      sequence bigint NOT NULL CHECK (sequence >= 1),
      audit_log_id ${id} NOT NULL,
      entity_id ${id} NOT NULL,
      previous_hash ${id} NOT NULL,
      hash_format smallint NOT NULL,
      canonical text NOT NULL,
      hash ${id} NOT NULL,
      PRIMARY KEY (organization_id, sequence),
      CONSTRAINT evidence_chain_entry_once UNIQUE (organization_id, audit_log_id)
    );
    CREATE TRIGGER evidence_chain_insert_only BEFORE UPDATE OR DELETE ON evidence_chain
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER evidence_chain_never_emptied BEFORE TRUNCATE ON evidence_chain
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE FUNCTION evidence_note_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO evidence_unsealed (organization_id, audit_log_id) VALUES (NEW.organization_id, NEW.id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER audit_logs_of_evidence AFTER INSERT ON audit_logs
      FOR EACH ROW WHEN (NEW.${ACCOUNTING.replace('entity_type', 'NEW.entity_type')})
      EXECUTE FUNCTION evidence_note_unsealed();
    INSERT INTO evidence_unsealed SELECT organization_id, id FROM audit_logs WHERE ${ACCOUNTING};
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER audit_logs_of_evidence ON audit_logs;
    DROP FUNCTION evidence_note_unsealed;
    DROP TABLE evidence_chain, evidence_unsealed;
  `);
}
